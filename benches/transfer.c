/* What transfer.py needs besides Python, fast enough not to be what is measured. Needs Linux.
 *
 *   serve PORTFILE DELAY_MS [CERTIFICATE KEY]  a service that throws away what it is sent; with a certificate over TLS
 *   splice PORT PATH FILE                      sends a file as one request, without copying it: the limit
 *   run RESULT COMMAND...                      runs a command; wall and processor seconds, peak memory, exit code
 *
 *   cc -O2 -pthread -o transfer benches/transfer.c -lssl -lcrypto      or, without TLS, -DNO_TLS and no libraries
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifndef NO_TLS
#include <openssl/ssl.h>
static SSL_CTX *tls;
#else
typedef void SSL;
#endif

enum { LARGE = 1 << 20 };
static int port, delay;
static atomic_llong connections, requests, posts, tickets, places, completions, body_bytes;

static void die(const char *what) {
    perror(what);
    exit(1);
}

/* serve */

struct peer {
    int socket;
    SSL *ssl;
    char buffer[1 << 16];
    size_t filled, taken;
    /* The IDs of the files that the last completion named, nine characters each. */
    char *ids;
    size_t files;
};

enum { ID = 9 };

static ssize_t take(struct peer *peer, char *into, size_t len, int flags) {
#ifndef NO_TLS
    if (peer->ssl) return SSL_read(peer->ssl, into, len > LARGE ? LARGE : (int)len);
#endif
    return recv(peer->socket, into, len, flags);
}

static int give(struct peer *peer, const char *bytes, size_t len) {
#ifndef NO_TLS
    if (peer->ssl) return SSL_write(peer->ssl, bytes, (int)len) == (int)len;
#endif
    return send(peer->socket, bytes, len, MSG_NOSIGNAL) == (ssize_t)len;
}

/* A line or the whole head, up to and with `end`; its length, or 0 at the end of the connection. */
static size_t until(struct peer *peer, const char *end) {
    for (;;) {
        char *start = peer->buffer + peer->taken;
        char *found = memmem(start, peer->filled - peer->taken, end, strlen(end));
        if (found) return (size_t)(found - start) + strlen(end);
        memmove(peer->buffer, start, peer->filled - peer->taken);
        peer->filled -= peer->taken;
        peer->taken = 0;
        if (peer->filled == sizeof peer->buffer) return 0;
        ssize_t got = take(peer, peer->buffer + peer->filled, sizeof peer->buffer - peer->filled, 0);
        if (got <= 0) return 0;
        peer->filled += (size_t)got;
    }
}

/* Throws bytes away. What is read with MSG_TRUNC the kernel drops without copying it. */
static int drain(struct peer *peer, long long len, char *scrap, size_t size) {
    size_t here = peer->filled - peer->taken;
    if ((long long)here > len) here = (size_t)len;
    peer->taken += here;
    len -= (long long)here;
    while (len > 0) {
        ssize_t got = take(peer, scrap, (long long)size < len ? size : (size_t)len, MSG_TRUNC);
        if (got <= 0) return 0;
        len -= got;
    }
    return 1;
}

/* Reads a completion, and notes the IDs of the files that it names: an answer about other files would be looked up. */
static int named(struct peer *peer, long long len, char *scrap) {
    long long got = (long long)(peer->filled - peer->taken);
    if (got > len) got = len;
    memcpy(scrap, peer->buffer + peer->taken, (size_t)got);
    peer->taken += (size_t)got;
    while (got < len) {
        ssize_t more = take(peer, scrap + got, (size_t)(len - got), 0);
        if (more <= 0) return 0;
        got += more;
    }
    scrap[len] = 0;
    peer->ids = realloc(peer->ids, (size_t)len + ID);
    peer->files = 0;
    for (char *at = scrap; (at = strchr(at, 'F')); at++)
        if (strspn(at + 1, "0123456789") >= ID - 1) memcpy(peer->ids + ID * peer->files++, at, ID);
    return 1;
}

#ifndef NO_TLS
/* The same for a large body over TLS, without decrypting it: how long a record is stands before it. The keys for reading
 * fall behind, so nothing else can be read from this connection. False if a record is none of a body. */
static int drain_records(struct peer *peer, long long len, char *scrap, size_t size) {
    if (!drain(peer, (long long)(peer->filled - peer->taken), scrap, size)) return 0;
    while (SSL_pending(peer->ssl) > 0) {
        ssize_t got = take(peer, scrap, size, 0);
        if (got <= 0) return 0;
        len -= got;
    }
    while (len > 0) {
        unsigned char head[5];
        if (recv(peer->socket, head, 5, MSG_WAITALL) != 5 || head[0] != 23) return 0;
        ssize_t record = head[3] << 8 | head[4];
        /* The seal, and the kind of what is sealed. */
        len -= record - 17;
        while (record > 0) {
            ssize_t got = recv(peer->socket, scrap, (size_t)record, MSG_TRUNC);
            if (got <= 0) return 0;
            record -= got;
        }
    }
    return len == 0;
}
#endif

static const char *field(const char *head, const char *name) {
    const char *found = strcasestr(head, name);
    return found ? found + strlen(name) : NULL;
}

/* The answer to a completion. */
static char *completed(const struct peer *peer) {
    char *body = malloc(64 + 48 * peer->files), *end = stpcpy(body, "{\"ok\":true,\"files\":[");
    for (size_t file = 0; file < peer->files; file++)
        end += sprintf(end, "%s{\"id\":\"%.*s\",\"title\":\"a file\"}", file ? "," : "", ID, peer->ids + ID * file);
    strcpy(end, "]}");
    return body;
}

static int answer(struct peer *peer, const char *path, int last) {
    char small[512], head[256], *body = small;
    const char *kind = "application/json";
    long long number;
    if (!strncmp(path, "/stats", 6)) {
        snprintf(small, sizeof small,
                 "{\"connections\":%lld,\"requests\":%lld,\"posts\":%lld,\"tickets\":%lld,\"places\":%lld,"
                 "\"completions\":%lld,\"bytes\":%lld}",
                 atomic_exchange(&connections, 0), atomic_exchange(&requests, 0), atomic_exchange(&posts, 0),
                 atomic_exchange(&tickets, 0), atomic_exchange(&places, 0), atomic_exchange(&completions, 0),
                 atomic_exchange(&body_bytes, 0));
    } else if (!strncmp(path, "/api/files.getUploadURLExternal", 31)) {
        number = ++tickets;
        snprintf(small, sizeof small, "{\"ok\":true,\"upload_url\":\"http%s://127.0.0.1:%d/upload/F%08lld\",\"file_id\":\"F%08lld\"}",
                 peer->ssl ? "s" : "", port, number, number);
    } else if (!strncmp(path, "/upload/", 8)) {
        places++;
        kind = "text/plain";
        strcpy(small, "OK");
    } else if (!strncmp(path, "/api/files.completeUploadExternal", 33)) {
        completions++;
        body = completed(peer);
    } else if (!strncmp(path, "/api/files.info", 15)) {
        strcpy(small, "{\"ok\":false,\"error\":\"file_not_found\"}");
    } else {
        posts++;
        strcpy(small, "{\"ok\":true,\"file\":{\"id\":\"F00000001\"}}");
    }
    requests++;
    if (delay) usleep((useconds_t)delay * 1000);
    int len = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n", kind,
                       strlen(body), last ? "Connection: close\r\n" : "");
    /* In one piece, so that no client waits for the second one. */
    char *whole = malloc((size_t)len + strlen(body) + 1);
    strcpy(stpcpy(whole, head), body);
    int given = give(peer, whole, strlen(whole));
    free(whole);
    if (body != small) free(body);
    return given;
}

static void *attend(void *argument) {
    struct peer *peer = argument;
    char *scrap = malloc(LARGE);
#ifndef NO_TLS
    if (tls) {
        peer->ssl = SSL_new(tls);
        SSL_set_fd(peer->ssl, peer->socket);
        if (SSL_accept(peer->ssl) != 1) goto end;
    }
#endif
    connections++;
    size_t len;
    while ((len = until(peer, "\r\n\r\n")) > 0) {
        char head[1 << 14], path[256];
        if (len >= sizeof head) break;
        memcpy(head, peer->buffer + peer->taken, len);
        head[len] = 0;
        peer->taken += len;
        if (sscanf(head, "%*s %255s", path) != 1) break;
        if (field(head, "\r\nExpect: 100") && !give(peer, "HTTP/1.1 100 Continue\r\n\r\n", 25)) break;
        const char *length = field(head, "\r\nContent-Length:");
        long long left = length ? atoll(length) : 0;
        if (field(head, "\r\nTransfer-Encoding: chunked")) {
            for (;;) {
                if (!(len = until(peer, "\r\n"))) goto end;
                left = strtoll(peer->buffer + peer->taken, NULL, 16);
                peer->taken += len;
                body_bytes += left;
                if (!drain(peer, left + 2, scrap, LARGE)) goto end;
                if (!left) break;
            }
        } else {
            body_bytes += left;
#ifndef NO_TLS
            if (peer->ssl && left >= LARGE && SSL_version(peer->ssl) == TLS1_3_VERSION) {
                long long here = (long long)(peer->filled - peer->taken);
                if (drain_records(peer, left - here, scrap, LARGE) && answer(peer, path, 1)) {
                    shutdown(peer->socket, SHUT_WR);
                    while (recv(peer->socket, scrap, LARGE, MSG_TRUNC) > 0) continue;
                }
                break;
            }
#endif
            int completes = left < LARGE && !strncmp(path, "/api/files.completeUploadExternal", 33);
            if (completes ? !named(peer, left, scrap) : !drain(peer, left, scrap, LARGE)) break;
        }
        if (!answer(peer, path, 0)) break;
    }
end:
#ifndef NO_TLS
    if (peer->ssl) SSL_free(peer->ssl);
#endif
    close(peer->socket);
    free(scrap);
    free(peer->ids);
    free(peer);
    return NULL;
}

_Noreturn static void serve(int count, char **words) {
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    signal(SIGPIPE, SIG_IGN);
    delay = atoi(words[1]);
    if (count == 4) {
#ifndef NO_TLS
        tls = SSL_CTX_new(TLS_server_method());
        if (SSL_CTX_use_certificate_chain_file(tls, words[2]) != 1 ||
            SSL_CTX_use_PrivateKey_file(tls, words[3], SSL_FILETYPE_PEM) != 1)
            die("certificate");
        SSL_CTX_set_mode(tls, SSL_MODE_AUTO_RETRY);
#else
        die("built without TLS");
#endif
    }
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) die("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    port = ntohs(address.sin_port);
    FILE *file = fopen(words[0], "w");
    if (!file || fprintf(file, "%d\n", port) < 0 || fclose(file)) die(words[0]);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&small, 1 << 18);
    for (;;) {
        int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (accepted < 0) continue;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct peer *peer = malloc(sizeof *peer);
        pthread_t thread;
        peer->socket = accepted, peer->ssl = NULL, peer->filled = peer->taken = peer->files = 0, peer->ids = NULL;
        if (pthread_create(&thread, &small, attend, peer)) die("thread");
    }
}

/* splice */

static int splice_file(char **words) {
    int way[2], file = open(words[2], O_RDONLY), out = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)atoi(words[0]))};
    struct stat stat;
    char text[1024];
    if (file < 0 || fstat(file, &stat) || pipe(way)) die(words[2]);
    if (connect(out, (struct sockaddr *)&address, sizeof address)) die("connect");
    fcntl(way[1], F_SETPIPE_SZ, 1 << 20);
    int len = snprintf(text, sizeof text, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %lld\r\n\r\n", words[1],
                       (long long)stat.st_size);
    if (send(out, text, (size_t)len, MSG_MORE) != len) die("send");
    for (long long left = stat.st_size; left > 0;) {
        ssize_t got = splice(file, NULL, way[1], NULL, 1 << 20, SPLICE_F_MOVE);
        if (got <= 0) die("splice");
        left -= got;
        while (got > 0) {
            ssize_t gone = splice(way[0], NULL, out, NULL, (size_t)got, SPLICE_F_MOVE | (left ? SPLICE_F_MORE : 0));
            if (gone <= 0) die("splice");
            got -= gone;
        }
    }
    return recv(out, text, sizeof text, 0) > 12 && !strncmp(text + 9, "200", 3) ? 0 : 1;
}

/* run */

static int run(char **words) {
    struct timespec begin, end;
    struct rusage usage;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        execvp(words[1], words + 1);
        die(words[1]);
    }
    /* The peak that the kernel tells begins with that of this little program, not with that of an interpreter. */
    if (child < 0 || wait4(child, &status, 0, &usage) != child) die("wait");
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *file = fopen(words[0], "w");
    if (!file) die(words[0]);
    fprintf(file, "%.6f %.6f %.2f %d\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
            (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
            (double)usage.ru_maxrss / 1024, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fclose(file);
    return 0;
}

int main(int count, char **words) {
    if ((count == 4 || count == 6) && !strcmp(words[1], "serve")) serve(count - 2, words + 2);
    if (count == 5 && !strcmp(words[1], "splice")) return splice_file(words + 2);
    if (count >= 4 && !strcmp(words[1], "run")) return run(words + 2);
    fprintf(stderr, "serve PORTFILE DELAY_MS [CERTIFICATE KEY] | splice PORT PATH FILE | run RESULT COMMAND...\n");
    return 2;
}
