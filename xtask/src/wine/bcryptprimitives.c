/* What Wine before version 9 lacks and every program in Rust asks for: random bytes, from the function that gave them before. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *to, unsigned long length);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *to, unsigned long long length) { return SystemFunction036(to, (unsigned long)length); }
