USE [Billing]
GO
-- One row for each invoice sent.
CREATE TABLE [dbo].[Invoice] (
    [Id]         INT IDENTITY (1, 1) NOT NULL,
    [CustomerId] INT NOT NULL REFERENCES [crm].[Customer] ([Id]) ON DELETE CASCADE,
    [Total]      DECIMAL (18, 2) NULL,
    [Due]        AS (DATEADD(DAY, 30, [Sent])) PERSISTED,
    CONSTRAINT [PK_Invoice] PRIMARY KEY CLUSTERED ([Id] ASC)
)
CREATE NONCLUSTERED INDEX [IX_Invoice_Customer] ON [dbo].[Invoice] ([CustomerId]) INCLUDE ([Total])
GO
CREATE TABLE dbo.InvoiceLine (InvoiceId INT NOT NULL, Amount DECIMAL(18, 2), "Unit Price" MONEY)
GO
ALTER TABLE dbo.InvoiceLine WITH CHECK ADD CONSTRAINT FK_Line_Invoice FOREIGN KEY (InvoiceId)
    REFERENCES dbo.Invoice (Id)
GO
CREATE TRIGGER [dbo].[Invoice_Changed] ON [dbo].[Invoice] AFTER INSERT, UPDATE
AS
BEGIN
    IF UPDATE(Total)
        INSERT INTO dbo.InvoiceHistory (InvoiceId) SELECT i.Id FROM inserted i LEFT JOIN deleted d ON d.Id = i.Id
END
GO
CREATE TABLE dbo.InvoiceHistory (InvoiceId INT NOT NULL)
GO
