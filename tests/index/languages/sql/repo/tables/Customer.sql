/****** Object: Table [crm].[Customer] ******/
CREATE TABLE [crm].[Customer] (
    [Id]      INT IDENTITY (1, 1) NOT NULL,
    [Name]    NVARCHAR (200)      NOT NULL,
    [Credit]  DECIMAL (18, 2)     NULL CONSTRAINT [DF_Customer_Credit] DEFAULT ((0)),
    CONSTRAINT [PK_Customer] PRIMARY KEY CLUSTERED ([Id] ASC)
) ON [PRIMARY]
GO
