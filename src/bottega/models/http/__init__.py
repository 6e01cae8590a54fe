"""HTTP to model servers, which are not trusted: every call has a deadline and every size a limit."""

from bottega.models.http.budget import CallBudget, HeadersTooLarge, call_budget
from bottega.models.http.client import HttpClient, StatusError
from bottega.models.http.fields import WrongReply
from bottega.models.http.network import open_client

__all__ = ["CallBudget", "HeadersTooLarge", "HttpClient", "StatusError", "WrongReply", "call_budget", "open_client"]
