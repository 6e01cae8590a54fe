EXEC dbo.Invoice_Create @CustomerId = 1
SELECT * FROM Customer
GO
