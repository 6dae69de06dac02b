// selvedge: run
// expect: exit 0
// native: same
//
// Wide strings and their functions, wide literals, and the other character types.
#include <stdio.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t text[32] = L"wide ";
    wcscat(text, L"string");
    printf("%zu %zu\n", wcslen(text), sizeof text);
    printf("%d %d\n", wcscmp(text, L"wide string") == 0, wcsncmp(text, L"wiXX", 2));
    printf("%td %td\n", wcschr(text, L's') - text, wcsstr(text, L"ring") - text);
    printf("%zu %zu %zu\n", wcsspn(text, L"edwi"), wcscspn(text, L"gs"), wcscspn(text, L""));
    printf("%td %d\n", wcspbrk(text, L"rt") - text, wcspbrk(text, L"xyz") == NULL);
    wchar_t copy[32];
    wmemset(copy, L'-', 31);
    wcscpy(copy, text + 5);
    wmemcpy(copy + 7, L"abc", 4);
    printf("%lc %ls\n", (wint_t)copy[0], copy);
    for (wchar_t *c = text; *c; c++)
        *c = (wchar_t)towupper((wint_t)*c);
    printf("%ls %d %d\n", text, iswdigit(L'7') != 0, iswalpha(L'7') != 0);
    printf("%ld %g\n", wcstol(L"-123x", NULL, 10), wcstod(L"2.5", NULL));

    char narrow[32];
    size_t written = wcstombs(narrow, L"plain", sizeof narrow);
    wchar_t back[32];
    size_t read = mbstowcs(back, narrow, 32);
    printf("%zu %s %zu %d\n", written, narrow, read, back[4] == L'n');
    const char16_t *sixteen = u"\u00e9x";
    const char32_t *thirty_two = U"\U0001F600";
    printf("%x %x %x\n", sixteen[0], sixteen[1], thirty_two[0]);
    const char *utf8 = "\u00e9";
    printf("%02x %02x\n", (unsigned char)utf8[0], (unsigned char)utf8[1]);
    swprintf(back, 32, L"%d-%ls", 5, L"five");
    printf("%ls\n", back);
    return 0;
}
