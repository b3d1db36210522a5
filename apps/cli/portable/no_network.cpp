// The program that needs libc alone has HDF5 in it. Debian's HDF5 has a driver for files on a server, which asks for
// libcurl and OpenSSL; ricochet reads only local files and never opens that driver: here it finds no network.
#include <cstddef>

extern "C" {

constexpr int failed_to_start = 2;  // CURLE_FAILED_INIT

void* curl_easy_init() { return nullptr; }
void curl_easy_cleanup(void*) {}
int curl_easy_perform(void*) { return failed_to_start; }
int curl_easy_setopt(void*, int, ...) { return failed_to_start; }
int curl_global_init(long) { return failed_to_start; }
void curl_global_cleanup() {}
void* curl_slist_append(void*, const char*) { return nullptr; }
void curl_slist_free_all(void*) {}

const void* EVP_sha256() { return nullptr; }
unsigned char* HMAC(const void*, const void*, int, const unsigned char*, std::size_t, unsigned char*, unsigned int*) {
  return nullptr;
}
unsigned char* SHA256(const unsigned char*, std::size_t, unsigned char*) { return nullptr; }

}  // extern "C"
