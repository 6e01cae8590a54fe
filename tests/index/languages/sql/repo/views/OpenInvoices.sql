CREATE VIEW dbo.OpenInvoices WITH SCHEMABINDING
AS
SELECT i.CustomerId, i.Total, (SELECT COUNT(*) FROM dbo.InvoiceLine l WHERE l.InvoiceId = i.Id) AS Lines
FROM dbo.Invoice i
UNION ALL
SELECT CustomerId, Total FROM archive.Invoice
GO
