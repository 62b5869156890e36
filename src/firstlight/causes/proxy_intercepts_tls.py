"""A proxy signs connections anew."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"CERTIFICATE_VERIFY_FAILED\] certificate verify failed: self[- ]signed certificate", 0.94),
    Message(r"(?i)self[- ]signed certificate in certificate chain", 0.94),
    Message(r"CERTIFICATE_VERIFY_FAILED\] certificate verify failed: unable to get local issuer certificate", 0.88),
    Message(r"CERTIFICATE_VERIFY_FAILED", 0.82, unless=("clock-words", "cert-time-words", "hostname-words")),
    Message(r"SSL certificate problem: (?:self|unable to get local issuer)", 0.9),
    Message(r"[Cc]ertificate verification failed: The certificate is NOT trusted", 0.9, unless=("cert-time-words",)),
    Message(r"The certificate issuer is unknown", 0.88),
    Message(r"x509: certificate signed by unknown authority", 0.92),
    Message(r"invalid peer certificate: UnknownIssuer", 0.94),
    Message(r"unable to get local issuer certificate", 0.86),
    Message(r"server certificate verification failed\. CAfile", 0.86, unless=("cert-time-words",)),
    Message(r"issuer[=:].{0,80}(?:Zscaler|Netskope|Fortinet|FortiGate|Palo Alto|Blue ?Coat|McAfee|Cisco Umbrella|Proxy|Corporate|Corp )", 0.9),
    Message(r"unable to verify the first certificate", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="proxy-intercepts-tls",
    family="network",
    vendor="both",
    severity="blocking",
    title=Words(
        "A proxy re-signs the TLS connections",
        "代理重新签名 TLS 连接",
    ),
    means=Words(
        "A proxy re-signs TLS connections with a certificate that the tool does not trust.",
        "代理用工具不信任的证书重新签名 TLS 连接。",
    ),
    effect=Words(
        "Downloads fail with certificate errors.",
        "下载因证书错误而失败。",
    ),
    fix=Words(
        "Add the company's root certificate to the system store and point PIP_CERT/SSL_CERT_FILE/REQUESTS_CA_BUNDLE at it (uv: --native-tls).",
        "将公司的根证书加入系统证书库，并让 PIP_CERT/SSL_CERT_FILE/REQUESTS_CA_BUNDLE 指向它（uv：--native-tls）。",
    ),
    follows=("clock-skew",),
    messages=MESSAGES,
)
