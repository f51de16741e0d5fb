/* `start PROGRAM ...` starts a program without a console and without streams (DETACHED_PROCESS), as a service or a
   program with a window does, for tests of `skilltender.exe` in Wine. A line of input ends it by force. It ends with the
   program's code. */
#include <stdio.h>
#include <windows.h>

/* What follows our own name, as it was written. */
static wchar_t *rest(void) {
    wchar_t *at = GetCommandLineW();
    for (int quoted = 0; *at && (quoted || *at != L' '); at++) quoted ^= *at == L'"';
    while (*at == L' ') at++;
    return at;
}

int main(void) {
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    char line[8];
    DWORD code = 94;
    if (!CreateProcessW(NULL, rest(), NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &startup, &process)) return 98;
    fgets(line, sizeof line, stdin);
    TerminateProcess(process.hProcess, 96);
    if (WaitForSingleObject(process.hProcess, 60000) != WAIT_OBJECT_0) return 95;
    GetExitCodeProcess(process.hProcess, &code);
    return (int)code;
}
