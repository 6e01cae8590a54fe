CREATE TYPE shop.state AS ENUM ('open', 'done');

/* What people ordered. */
CREATE TABLE IF NOT EXISTS shop.orders (
    id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
    parent uuid REFERENCES shop.orders (id),
    tags text[] DEFAULT '{}'::text[]
);

COPY shop.orders (id) FROM stdin;
1	it's no SQL: CREATE TABLE nothing (
\.

CREATE OR REPLACE FUNCTION shop.weigh(p_id uuid) RETURNS numeric LANGUAGE plpgsql AS $body$
DECLARE
    kept numeric;
BEGIN
    SELECT sum(extract(year FROM o.day)) INTO kept FROM shop.orders o, LATERAL shop.expand(o.id) e;
    IF kept IS DISTINCT FROM 0 THEN
        UPDATE shop.orders SET tags = E'\'{}' WHERE id = p_id;
    END IF;
    RETURN kept;
END;
$body$;

CREATE TRIGGER weigh_orders BEFORE INSERT OR UPDATE ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.weigh();

CREATE MATERIALIZED VIEW shop.heavy AS
WITH weights AS (SELECT id, shop.weigh(id) AS weight FROM shop.orders)
SELECT * FROM weights WHERE weight > 10;
