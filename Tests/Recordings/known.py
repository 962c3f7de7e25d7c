"""Rows that Hearth cannot answer as production does: the guide to `answers: production` says so.

They are not sent, because what Hearth does with them would change the answers after them.
"""

KEYS = "Hearth has no list of API keys"
SIGNATURES = "Hearth does not know the keys of service accounts"
PROVIDERS = "Hearth does not know the keys of identity providers"
CERTIFICATES = "Hearth has no keys for signed SAML requests"
PARSER = "the text is that of a Java library's parser"
USED = "databases and projects exist when they are used"
MODES = "databases of other modes, with tags or with keys are not played"
AT_ONCE = "operations are done at once"
MERGED = "the entries that a merge of composite indexes reads: recordings of one query differ"

LINKS = "links lead to Hearth's page, which opens the app"
REGIONS = "Hearth does not know the region of a number"
SWITCHED = "tests make tenants without switching them on"
TEMPLATES = "the texts of mails are Hearth's own, and can be changed"
PAGES = "createAuthUri leads to Hearth's page, which stands for the provider's"
UNCONFIGURED = "tests sign in with providers that are not configured"

KNOWN = {
    "atb/tenant/providers#auth-uri-a": PAGES,
    "atb/tenant/switch-off#create-off": SWITCHED,
    "atb/tenant/switch-off#get-unknown-off": SWITCHED,
    "atb/tenant/switch-off#list-off": SWITCHED,
    "auth-account/admin/custom-attributes#invalid-json": PARSER,
    "auth-config-sdk/email-privacy#off-auth-uri-provider": UNCONFIGURED,
    "auth-config-sdk/email-privacy#on-auth-uri-provider": UNCONFIGURED,
    "auth-config-sdk/mobile-links#reset-all-settings": LINKS,
    "auth-config-sdk/mobile-links#reset-android-only": LINKS,
    "auth-config-sdk/mobile-links#reset-android-version-code": LINKS,
    "auth-config-sdk/mobile-links#reset-dynamic-link-domain": LINKS,
    "auth-config-sdk/mobile-links#reset-ios-only": LINKS,
    "auth-config-sdk/mobile-links#sign-in-all-settings": LINKS,
    "auth-config-sdk/mobile-links#sign-in-not-in-app": LINKS,
    "auth-config-sdk/mobile-links#verify-all-settings": LINKS,
    "auth-config-sdk/other-fields#reset-subject": TEMPLATES,
    "auth-config-sdk/other-fields#send-us-under-allowlist": REGIONS,
    "auth-config-sdk/other-fields#send-us-under-denylist": REGIONS,
    "auth-credential/custom-token/validation#invalid-api-key": KEYS,
    "auth-credential/custom-token/validation#other-project-signer": SIGNATURES,
    "auth-credential/custom-token/validation#tampered-payload": SIGNATURES,
    "auth-credential/custom-token/validation#tampered-signature": SIGNATURES,
    "auth-credential/refresh/refusals#invalid-api-key": KEYS,
    "auth-federation/oidc/verification#other-key": PROVIDERS,
    "auth-federation/oidc/verification#unknown-kid": PROVIDERS,
    "auth-federation/oidc/verification#unpublished-issuer": PROVIDERS,
    "auth-federation/provider-config/saml#get-after-sign-request": CERTIFICATES,
    "auth-federation/provider-config/saml#patch-sign-request": CERTIFICATES,
    "errors/rest-shapes#wrong-database": USED,
    "errors/rest-shapes#wrong-project": USED,
    "fs-config/database/create/refusals#customer-managed-key": MODES,
    "fs-config/database/create/refusals#tags": MODES,
    "fs-config/database/create/variants#datastore-mode": MODES,
    "fs-config/database/create/variants#enterprise": MODES,
    "fs-config/database/create/variants#get-datastore-mode": MODES,
    "fs-config/database/create/variants#get-enterprise": MODES,
    "fs-config/database/delete/basic#document-after": USED,
    "fs-config/database/delete/basic#operation": AT_ONCE,
    "fs-config/database/mode-gating/datastore-and-enterprise#create-datastore": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#create-enterprise": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#datastore-commit": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#datastore-get-document": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#datastore-list-indexes": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#datastore-query": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#enterprise-commit": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#enterprise-get-document": MODES,
    "fs-config/database/mode-gating/datastore-and-enterprise#enterprise-list-indexes": MODES,
    "fs-config/database/patch/fields#type": MODES,
    "fs-config/database/patch/fields#type-nonempty": MODES,
    "fs-query-index/explain/merge-order#filters-reversed-analyze": MERGED,
    "fs-query-index/explain/merge-order#larger-earlier-field-analyze": MERGED,
    "fs-query-index/explain/merge-order#larger-later-field-analyze": MERGED,
}
