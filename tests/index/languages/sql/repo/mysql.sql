CREATE TABLE `parcels` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `label` varchar(50) DEFAULT 'it\'s',
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_label` (`label`)
) ENGINE=InnoDB;

DELIMITER $$
CREATE DEFINER=`root`@`localhost` PROCEDURE `send_parcel`(IN p_id INT)
BEGIN
  IF p_id > 0 THEN
    REPLACE INTO parcels (id) VALUES (p_id);
    CALL track_parcel(p_id);
  END IF;
END$$
CREATE PROCEDURE track_parcel(IN p_id INT) SELECT label FROM `parcels` WHERE id = p_id$$
DELIMITER ;
