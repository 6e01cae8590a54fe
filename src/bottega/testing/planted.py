"""A secret of every rule's format, made at run time from a seed: none of them opens anything.

A template holds no secret, so that no scanner takes this file for a leak: `{A36}` stands for 36 letters and digits,
`{h}` for hexadecimal digits, `{U}` for capitals and digits, `{l}` for small letters and digits, `{d}` for digits, `{w}`
for letters, digits, `_` and `-`, `{b}` for base64, `{a}` for the letters of age keys, `{u}` for a UUID.
"""

from __future__ import annotations

import random
import re
import string
from typing import NamedTuple

_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "a": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "5": "abcdefghijklmnopqrstuvwxyz234567",
}
_HOLE = re.compile(r"\{([AhUldwba5u])(\d*)\}")

# By rule: what the secret looks like, what stands before it where the rule needs that, and a near miss of the whole.
TEMPLATES: dict[str, tuple[str, str, str]] = {
    "aws-key": ("AKIA{U16}", "", "AKIA{U9}"),
    "aws-secret": ("{b39}7", "aws_secret_access_key=", "revision={b39}7"),
    "aws-bedrock-key": ("ABSKQmVkcm9ja0FQSUtleS{b100}", "", "ABSK{b20}"),
    "google-key": ("AIzaSy{w33}", "", "AIza{w12}"),
    "google-oauth": ("GOCSPX-{w28}", "", "GOCSPX-{w8}"),
    "azure-storage-key": ("{b86}==", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=", "AccountKey={b12}"),
    "azure-client-secret": ("{A3}8Q~{A34}", "", "{A3}8Q~{A10}"),
    "azure-sas": ("{A43}%3D", "https://shop.blob.core.windows.net/c?sv=2022-11-02&sig=", "https://shop.net/c?sig={A9}"),
    "azure-devops-token": ("{552}", "AZURE_DEVOPS_TOKEN=", "azure_region={552}"),
    "alibaba-key": ("LTAI5t{A17}4", "", "LTAI{A5}"),
    "digitalocean-token": ("dop_v1_{h64}", "", "dop_v1_{h20}"),
    "heroku-key": ("{u}", "HEROKU_API_KEY=", "HEROKU_RELEASE={u}"),
    "heroku-token": ("HRKU-{w60}", "", "HRKU-{w9}"),
    "cloudflare-key": ("{A39}7", "CLOUDFLARE_API_TOKEN=", "CLOUDFLARE_ZONE={h32}"),
    "cloudflare-origin-key": ("v1.0-{h24}-{h146}", "", "v1.0-{h24}"),
    "fly-token": ("fo1_{A42}7", "", "fo1_{A12}"),
    "netlify-token": ("nfp_{A36}", "", "nfp_{A12}"),
    "vercel-token": ("{A23}7", "VERCEL_TOKEN=", "VERCEL_REGION={A23}7"),
    "terraform-token": ("{A14}.atlasv1.{A67}", "", "{A14}.atlasv1.{A10}"),
    "pulumi-token": ("pul-{h40}", "", "pul-{h12}"),
    "vault-token": ("hvs.{w90}7a", "", "hvs.{w8}"),
    "doppler-token": ("dp.pt.{A43}", "", "dp.pt.{A10}"),
    "1password-token": ("ops_eyJ{A250}", "", "ops_eyJ{A20}"),
    "databricks-token": ("dapi{h32}", "", "dapi{h12}"),
    "planetscale-token": ("pscale_pw_{A43}", "", "pscale_pw_{A9}"),
    "supabase-key": ("sbp_{h39}7", "", "sbp_{h9}"),
    "github-token": ("ghp_{A36}", "", "ghp_{A9}"),
    "github-fine-grained-token": ("github_pat_{A22}_{A59}", "", "github_pat_{A9}"),
    "gitlab-token": ("glpat-{A19}7", "", "glpat-{A6}"),
    "bitbucket-token": ("ATBB{A31}7", "", "ATBB{A9}"),
    "npm-token": ("npm_{A36}", "", "npm_{A12}"),
    "npm-auth": ("{A34}77", "//registry.npmjs.org/:_authToken=", "//registry.npmjs.org/:_authToken=${{NPM}}"),
    "pypi-token": ("pypi-AgEIcHlwaS5vcmc{w80}", "", "pypi-{A9}"),
    "rubygems-key": ("rubygems_{h48}", "", "rubygems_{h12}"),
    "crates-token": ("cio{A29}aB7", "", "cio{A9}"),
    "nuget-key": ("oy2{l43}", "", "oy2{l9}"),
    "docker-token": ("dckr_pat_{A27}", "", "dckr_pat_{A9}"),
    "artifactory-key": ("AKCp{A69}", "", "AKCp{A9}"),
    "clojars-token": ("CLOJARS_{h60}", "", "CLOJARS_{h12}"),
    "anthropic-key": ("sk-ant-api03-{A93}AA", "", "sk-ant-{l4}"),
    "openai-key": ("sk-proj-{A48}", "", "sk-text-repr-fallback"),
    "openrouter-key": ("sk-or-v1-{h64}", "", "sk-or-v1-{h9}"),
    "huggingface-token": ("hf_{A34}", "", "hf_{A9}"),
    "replicate-token": ("r8_{A37}", "", "r8_{A9}"),
    "groq-key": ("gsk_{A52}", "", "gsk_{A9}"),
    "perplexity-key": ("pplx-{A48}", "", "pplx-{A9}"),
    "xai-key": ("xai-{A80}", "", "xai-{A9}"),
    "slack-token": ("xoxb-{d12}-{d12}-{A24}", "", "xoxb-{l4}"),
    "slack-webhook": (
        "T{U8}/B{U9}/{A24}",
        "https://hooks.slack.com/services/",
        "https://hooks.slack.com/services/T/B/X",
    ),
    "discord-webhook": ("{d18}/{w68}", "https://discord.com/api/webhooks/", "https://discord.com/api/webhooks/{d18}"),
    "discord-token": ("M{A23}.{A6}.{A27}", "DISCORD_TOKEN=", "DISCORD_GUILD=M{A9}.{A6}"),
    "telegram-token": ("{d10}:AA{w33}", "", "{d10}:AA{w9}"),
    "teams-webhook": (
        *("{u}@{u}/IncomingWebhook/{h32}/{u}", "https://shop.webhook.office.com/webhookb2/"),
        "https://shop.webhook.office.com/webhookb2/{h9}",
    ),
    "sendgrid-key": ("SG.{w22}.{w43}", "", "SG.{w9}.{w9}"),
    "mailgun-key": ("key-{h32}", "", "key-{h12}"),
    "mailgun-private-key": ("{h32}-{h8}-{h8}", "MAILGUN_API_KEY=", "MAILGUN_DOMAIN={h32}"),
    "mailchimp-key": ("{h32}-us14", "", "{h12}-us14"),
    "mandrill-key": ("md-{A22}", "", "md-{A5}"),
    "brevo-key": ("xkeysib-{h64}-{A16}", "", "xkeysib-{h12}"),
    "postmark-token": ("{u}", "POSTMARK_SERVER_TOKEN=", "POSTMARK_STREAM={u}"),
    "twilio-key": ("SK{h32}", "", "SK{h12}"),
    "twilio-token": ("{h32}", "TWILIO_AUTH_TOKEN=", "TWILIO_REGION={h32}"),
    "stripe-key": ("sk_live_{A24}", "", "sk_live_{A6}"),
    "stripe-webhook-secret": ("whsec_{A31}7", "", "whsec_{A6}"),
    "square-token": ("sq0atp-{A21}7", "", "sq0atp-{A5}"),
    "shopify-token": ("shpat_{h32}", "", "shpat_{h9}"),
    "braintree-token": ("access_token$production${l16}${h32}", "", "access_token$production${l5}"),
    "paypal-secret": ("E{A79}", "PAYPAL_CLIENT_SECRET=", "PAYPAL_MODE=E{A79}"),
    "plaid-token": ("access-production-{u}", "", "access-production-{h8}"),
    "coinbase-key": ("{A20}7{A43}", "COINBASE_API_SECRET=", "COINBASE_PAIR={A20}7{A43}"),
    "easypost-key": ("EZAK{A54}", "", "EZAK{A9}"),
    "datadog-key": ("{h32}", "DD_API_KEY=", "DD_SITE={h32}"),
    "newrelic-key": ("NRAK-{U27}", "", "NRAK-{U5}"),
    "newrelic-license": ("{h36}NRAL", "", "{h9}NRAL"),
    "sentry-token": ("sntryu_{h64}", "", "sntryu_{h9}"),
    "sentry-dsn-secret": ("{h32}", "https://{h32}:", "https://{h32}@o1.ingest.sentry.io/1"),
    "grafana-token": ("glsa_{A31}7_{h8}", "", "glsa_{A9}"),
    "dynatrace-token": ("dt0c01.{U24}.{U64}", "", "dt0c01.{U9}"),
    "honeycomb-key": ("hcaik_{l60}", "", "hcaik_{l9}"),
    "pagerduty-key": ("{A19}7", "PAGERDUTY_TOKEN=", "PAGERDUTY_SERVICE={A19}7"),
    "algolia-key": ("{h32}", "ALGOLIA_ADMIN_KEY=", "ALGOLIA_INDEX={h32}"),
    "mapbox-token": ("sk.eyJ{A60}.{A22}", "", "sk.eyJ{A9}"),
    "launchdarkly-key": ("sdk-{u}", "", "sdk-{h8}"),
    "linear-key": ("lin_api_{A40}", "", "lin_api_{A9}"),
    "notion-token": ("ntn_{d11}{A30}aB7zZ", "", "ntn_{A9}"),
    "figma-token": ("figd_{w40}", "", "figd_{w9}"),
    "atlassian-token": ("ATATT3xFfGF0{w180}", "", "ATATT3{w9}"),
    "atlassian-legacy-token": ("{A21}7aB", "JIRA_API_TOKEN=", "JIRA_PROJECT={A21}7aB"),
    "okta-token": ("00{A40}", "OKTA_API_TOKEN=", "OKTA_DOMAIN=00{A40}"),
    "okta-header": ("00{A40}", "Authorization: SSWS ", "Authorization: SSWS {A9}"),
    "airtable-token": ("pat{A14}.{h64}", "", "pat{A14}.{h9}"),
    "asana-token": ("1/{d16}:{h32}", "ASANA_TOKEN=", "ASANA_PROJECT={h32}"),
    "postman-key": ("PMAK-{h24}-{h34}", "", "PMAK-{h9}"),
    "dropbox-token": ("sl.u.{w150}", "", "sl.u.{w9}"),
    "facebook-token": ("EAAC{A120}", "", "EAAC{A9}"),
    "adobe-secret": ("p8e-{A32}", "", "p8e-{A9}"),
    "typeform-token": ("tfp_{A59}", "", "tfp_{A9}"),
    "readme-key": ("rdme_{l70}", "", "rdme_{l9}"),
    "age-key": ("AGE-SECRET-KEY-1{a58}", "", "AGE-SECRET-KEY-1{a9}"),
    "basic": ("YXBwOkJ1bGxkb3plci0{A0}3", "Authorization: Basic ", "a basic understanding"),
    "bearer": ("{A39}7", "Authorization: Bearer ", "Authorization: Bearer <token>"),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{A20}.{w43}", "", "eyJhbGciOiJIUzI1NiJ9.short"),
    "password": ("{A11}7", "postgres://app:", "postgres://app:${{DB_PASSWORD}}@db/app"),
    "connection-password": ("{A11}7", "Server=db;User Id=sa;Password=", "Server=db;Trusted_Connection=yes;"),
    "value": ("{A14}77", "api_key=", "api_key=OPENAI_API_KEY"),
    "told-password": ("{l7}Xy7", "the old password was ", "the old password was wrong"),
}
_ENDS = {"password": "@db/app", "sentry-dsn-secret": "@o1.ingest.sentry.io/1", "connection-password": ";Pooling=true"}


class Planted(NamedTuple):
    """A text that holds a secret of a rule, the secret, and a text that only looks like it."""

    text: str
    secret: str
    near_miss: str


def plant(rule: str, seed: int = 0) -> Planted:
    generator = random.Random(f"{rule} {seed}")  # noqa: S311 - samples, not secrets
    secret, before, near_miss = (_fill(template, generator) for template in TEMPLATES[rule])
    return Planted(f"{before}{secret}{_ENDS.get(rule, '')}", secret, near_miss)


def plant_private_key(seed: int = 0) -> Planted:
    generator = random.Random(seed)  # noqa: S311 - samples, not secrets
    lines = [_fill("{b64}", generator) for _ in range(12)]
    body = "\n".join(lines)
    header, footer = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return Planted(f"{header}\n{body}\n{footer}\n", lines[3], f"{header}\nread the body here\n{footer}\n")


def _fill(template: str, generator: random.Random) -> str:
    def value(hole: re.Match[str]) -> str:
        if hole[1] == "u":
            return "-".join(_random(generator, "h", size) for size in (8, 4, 4, 4, 12))
        return _random(generator, hole[1], int(hole[2] or 0))

    return _HOLE.sub(value, template).replace("{{", "{").replace("}}", "}")


def _random(generator: random.Random, alphabet: str, size: int) -> str:
    return "".join(generator.choices(_ALPHABETS[alphabet], k=size))
