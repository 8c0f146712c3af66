// The work of FunctionBench by hand, with OpenSSL as it is meant to be used (methods fetched once, contexts reused):
// cc -O2 reference.c -lcrypto; reference WORK COUNT KEY INPUT. Bounds fit the bench's inputs, not a server.
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EVP_MD *digest;
static EVP_MD_CTX *digest_context;
static EVP_MAC_CTX *mac_context;
static const char *key;
static char output[8192];
static volatile long now = 1492495675; // not a constant for the compiler

static void need(int done) { if (!done) abort(); }

static void begin(const char *algorithm) {
    need((digest = EVP_MD_fetch(NULL, algorithm, NULL)) && (digest_context = EVP_MD_CTX_new()));
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("digest", "SHA2-256", 0), OSSL_PARAM_construct_end()};
    need(mac && (mac_context = EVP_MAC_CTX_new(mac)) && EVP_MAC_CTX_set_params(mac_context, parameters));
}

static void hash(const void *bytes, size_t count, unsigned char *result) {
    need(EVP_DigestInit_ex2(digest_context, digest, NULL) && EVP_DigestUpdate(digest_context, bytes, count)
         && EVP_DigestFinal_ex(digest_context, result, NULL));
}

static void authenticate(const void *secret, size_t size, const void *bytes, size_t count, unsigned char *result) {
    need(EVP_MAC_init(mac_context, secret, size, NULL) && EVP_MAC_update(mac_context, bytes, count)
         && EVP_MAC_final(mac_context, result, &size, 32));
}

static char *hex(char *to, const unsigned char *bytes, int count) {
    for (int i = 0; i < count; i++) { *to++ = "0123456789abcdef"[bytes[i] >> 4]; *to++ = "0123456789abcdef"[bytes[i] & 15]; }
    return to;
}

static char *put(char *to, const void *bytes, size_t count) { memcpy(to, bytes, count); return to + count; }
static char *text(char *to, const char *word) { return put(to, word, strlen(word)); }

// The shop: decode the form, leave out two names, sort, join the values, MD5, and add both fields to the form.
typedef struct { const char *name, *value; size_t name_count, value_count; } Field;

static int digit(int c) { return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; }

static char *decode(char *to, const char *from, const char *end) {
    for (; from < end; from++) {
        if (*from == '%' && end - from > 2 && digit(from[1]) >= 0 && digit(from[2]) >= 0) {
            *to++ = (char)(digit(from[1]) << 4 | digit(from[2]));
            from += 2;
        } else {
            *to++ = *from == '+' ? ' ' : *from;
        }
    }
    return to;
}

static int order(const Field *a, const Field *b) {
    size_t shared = a->name_count < b->name_count ? a->name_count : b->name_count;
    int result = memcmp(a->name, b->name, shared);
    return result ? result : a->name_count < b->name_count ? -1 : a->name_count > b->name_count;
}

static void shop(const char *form, size_t count) {
    static char plain[8192], joined[8192];
    Field fields[64], *sorted[64];
    int total = 0, kept = 0;
    char *end = plain;
    for (const char *start = form, *stop = form + count; start < stop && total < 64;) {
        const char *piece = memchr(start, '&', (size_t)(stop - start));
        if (!piece) piece = stop;
        const char *equals = memchr(start, '=', (size_t)(piece - start));
        if (!equals) equals = piece;
        Field *field = &fields[total++];
        field->name = end;
        end = decode(end, start, equals);
        field->name_count = (size_t)(end - field->name);
        field->value = end;
        if (equals < piece) end = decode(end, equals + 1, piece);
        field->value_count = (size_t)(end - field->value);
        start = piece + 1;
    }
    for (int i = 0; i < total; i++) {
        Field *field = &fields[i];
        if (field->name_count == 4 && (!memcmp(field->name, "time", 4) || !memcmp(field->name, "sign", 4))) continue;
        int place = kept++;
        while (place > 0 && order(sorted[place - 1], field) > 0) { sorted[place] = sorted[place - 1]; place--; }
        sorted[place] = field;
    }
    char *to = joined, seconds[24];
    for (int i = 0; i < kept; i++) to = put(to, sorted[i]->value, sorted[i]->value_count);
    snprintf(seconds, sizeof seconds, "%ld", now);
    to = text(text(to, seconds), key);
    unsigned char result[EVP_MAX_MD_SIZE];
    hash(joined, (size_t)(to - joined), result);
    to = text(text(text(put(output, form, count), "&time="), seconds), "&sign=");
    *hex(to, result, 16) = 0;
}

// The expiry test: a strict reader that keeps nothing but the member `status` of the root.
static const char *value(const char *p, int depth, long *status);

static const char *blank(const char *p) { while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') p++; return p; }

static const char *string(const char *p) {
    for (p++; *p != '"'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20) return NULL;
        if (c == '\\') {
            p++;
            if (*p == 'u') { for (int i = 1; i < 5; i++) if (digit(p[i]) < 0) return NULL; p += 4; }
            else if (!*p || !strchr("\"\\/bfnrt", *p)) return NULL;
        } else if (c >= 0x80) {
            int more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
            if (!more || c >= 0xF5) return NULL;
            while (more--) if (((unsigned char)*++p & 0xC0) != 0x80) return NULL;
        }
    }
    return p + 1;
}

static const char *number(const char *p) {
    if (*p == '-') p++;
    if (*p < '0' || *p > '9') return NULL;
    if (*p == '0') p++; else while (*p >= '0' && *p <= '9') p++;
    if (*p == '.') { if (*++p < '0' || *p > '9') return NULL; while (*p >= '0' && *p <= '9') p++; }
    if ((*p | 32) == 'e') {
        p++;
        if (*p == '+' || *p == '-') p++;
        if (*p < '0' || *p > '9') return NULL;
        while (*p >= '0' && *p <= '9') p++;
    }
    return p;
}

static const char *container(const char *p, int depth, long *status, char close) {
    p = blank(p + 1);
    if (*p == close) return p + 1;
    for (;; p = blank(p + 1)) {
        int found = 0;
        if (close == '}') {
            found = depth == 0 && !strncmp(p, "\"status\"", 8);
            if (*p != '"' || !(p = string(p)) || *(p = blank(p)) != ':') return NULL;
            p = blank(p + 1);
        }
        if (found) *status = strtol(p, NULL, 10);
        if (!(p = value(p, depth + 1, status))) return NULL;
        p = blank(p);
        if (*p == close) return p + 1;
        if (*p != ',') return NULL;
    }
}

static const char *value(const char *p, int depth, long *status) {
    if (depth > 512) return NULL;
    switch (*p) {
    case '{': return container(p, depth, status, '}');
    case '[': return container(p, depth, status, ']');
    case '"': return string(p);
    case 't': return strncmp(p, "true", 4) ? NULL : p + 4;
    case 'f': return strncmp(p, "false", 5) ? NULL : p + 5;
    case 'n': return strncmp(p, "null", 4) ? NULL : p + 4;
    default: return number(p);
    }
}

static void expiry(const char *answer) {
    long status = 0;
    const char *end = value(blank(answer), 0, &status);
    strcpy(output, end && !*blank(end) && (status == -100 || status == -101 || status == -102) ? "1" : "0");
}

// Signature Version 4 of GET /index.php; the query is sorted already.
static void sigv4(const char *query, size_t count) {
    static char canonical[8192], string_to_sign[512];
    unsigned char result[32], signing[32];
    char hashed[65] = {0}, secret[256];
    const char *date = "20170418T060755Z", *day = "20170418", *scope = "20170418/us-east-1/service/aws4_request";
    const char *names = "accept;content-type;host;x-amz-date;x-request-id";
    hash("", 0, result);
    hex(hashed, result, 32);
    char *to = text(canonical, "GET\n/index.php\n");
    to = text(put(to, query, count), "\naccept:*/*\ncontent-type:application/x-www-form-urlencoded\nhost:shop.test\nx-amz-date:");
    to = text(text(text(text(to, date), "\nx-request-id:0123456789abcdef\n\n"), names), "\n");
    to = text(to, hashed);
    hash(canonical, (size_t)(to - canonical), result);
    hex(hashed, result, 32);
    to = text(text(text(text(text(text(string_to_sign, "AWS4-HMAC-SHA256\n"), date), "\n"), scope), "\n"), hashed);
    char *end = text(text(secret, "AWS4"), key);
    authenticate(secret, (size_t)(end - secret), day, 8, signing);
    authenticate(signing, 32, "us-east-1", 9, signing);
    authenticate(signing, 32, "service", 7, signing);
    authenticate(signing, 32, "aws4_request", 12, signing);
    authenticate(signing, 32, string_to_sign, (size_t)(to - string_to_sign), result);
    to = text(text(output, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), scope);
    to = text(text(text(to, ", SignedHeaders="), names), ", Signature=");
    *hex(to, result, 32) = 0;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    long count = atol(argv[2]);
    const char *input = argv[4];
    size_t size = strlen(input);
    key = argv[3];
    begin(strncmp(argv[1], "signature", 9) ? "SHA2-256" : "MD5");
    while (count-- > 0) {
        if (!strncmp(argv[1], "signature", 9)) shop(input, size);
        else if (!strcmp(argv[1], "expiry")) expiry(input);
        else sigv4(input, size);
    }
    puts(output);
    return 0;
}
