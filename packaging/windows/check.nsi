; An installer for one person from the programs that Linux links, which shows that such an installer holds: where it
; puts them (installer.nsh, which Tauri's own uses too), what it leaves, what it never takes away, and that it is never
; installed over a newer one. The release has Tauri's installer, which refuses that with `allowDowngrades`. PROGRAMS is the folder of the programs, SKILLS that of the starter skills, OUT the result.
; Of 64 bits, because a Wine of 64 bits starts no other.
Target amd64-unicode
!define PRODUCTNAME "Skilltender"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${PRODUCTNAME}"
!include "LogicLib.nsh"
; Whether an update removes the old version, which Tauri's own installer says so.
Var UpdateMode
!include "WordFunc.nsh"
!include "installer.nsh"
Name "${PRODUCTNAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\${PRODUCTNAME}"
RequestExecutionLevel user
SetCompressor zlib

Function .onInit
  ReadRegStr $0 HKCU "${KEY}" "DisplayVersion"
  ${If} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $1
    ; 1: the one that is installed is the newer one.
    ${If} $1 == 1
      SetErrorLevel 1638
      Abort
    ${EndIf}
  ${EndIf}
FunctionEnd

Section
  SetShellVarContext current
  SetOutPath $INSTDIR
  !insertmacro NSIS_HOOK_PREINSTALL
  File "${PROGRAMS}/skilltender.exe"
  File /nonfatal "${PROGRAMS}/skilltender-app.exe"
  SetOutPath "$INSTDIR\skills"
  File /r "${SKILLS}/*"
  SetOutPath $INSTDIR
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${PRODUCTNAME}.lnk" "$INSTDIR\skilltender-app.exe"
  WriteRegStr HKCU "${KEY}" "DisplayName" "${PRODUCTNAME}"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
SectionEnd

Section "Uninstall"
  SetShellVarContext current
  !insertmacro NSIS_HOOK_PREUNINSTALL
  Delete "$INSTDIR\skilltender.exe"
  Delete "$INSTDIR\skilltender-app.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir /r "$INSTDIR\skills"
  ; Only when it is empty: never a folder with what somebody put there.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${PRODUCTNAME}.lnk"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
