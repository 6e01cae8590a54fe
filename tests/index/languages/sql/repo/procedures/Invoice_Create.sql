IF OBJECT_ID('dbo.Invoice_Create', 'P') IS NOT NULL DROP PROCEDURE dbo.Invoice_Create
GO
-- =============================================
-- Description: Makes an invoice from what is staged.
-- TODO: refuse an unknown currency
-- =============================================
CREATE PROCEDURE [dbo].[Invoice_Create]
    @CustomerId AS INT, -- who pays
    @Total DECIMAL(18, 2) OUTPUT
WITH EXECUTE AS OWNER
AS
SET NOCOUNT ON
DECLARE @made TABLE (Id INT)
BEGIN TRY
    BEGIN TRAN
    INSERT INTO Invoice (CustomerId) OUTPUT inserted.Id INTO @made VALUES (@CustomerId)
    ;WITH staged (Id, Amount) AS (SELECT Id, Amount FROM stage.Line WHERE Note <> 'it''s a CREATE TABLE x')
    INSERT dbo.InvoiceLine SELECT s.Id, s.Amount FROM staged s CROSS APPLY dbo.fn_Rates(s.Id) r
    UPDATE i SET i.Total = dbo.fn_Total(i.Id) FROM dbo.Invoice AS i JOIN crm.Customer (NOLOCK) c ON c.Id = i.CustomerId
    TRUNCATE TABLE stage.Line
    EXEC @Total = [dbo].[Customer_Charge] @CustomerId
    COMMIT
END TRY
BEGIN CATCH
    THROW;
END CATCH
GO
ALTER PROC dbo.Customer_Charge @CustomerId INT AS
    MERGE crm.Customer AS t USING dbo.OpenInvoices AS s ON s.CustomerId = t.Id
    WHEN MATCHED THEN UPDATE SET t.Credit = t.Credit - s.Total WHEN NOT MATCHED BY SOURCE THEN DELETE;
    DELETE h FROM dbo.InvoiceHistory h, dbo.Invoice i WHERE h.InvoiceId = i.Id
GO
CREATE FUNCTION dbo.fn_Total (@Id INT) RETURNS DECIMAL(18, 2) AS
BEGIN
    RETURN (SELECT SUM(Amount) FROM dbo.InvoiceLine WHERE InvoiceId = @Id)
END
GO
