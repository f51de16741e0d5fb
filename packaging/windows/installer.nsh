; Where the installer for one person puts the programs: beside those of other programs. Tauri's default is
; %LOCALAPPDATA%\Skilltender, which is above the person's own data (%LOCALAPPDATA%\Skilltender\Skilltender\data).
; Another folder that the person chose, or an earlier installation has, stays.
!macro NSIS_HOOK_PREINSTALL
  ${If} $INSTDIR == "$LOCALAPPDATA\${PRODUCTNAME}"
    StrCpy $INSTDIR "$LOCALAPPDATA\Programs\${PRODUCTNAME}"
    SetOutPath $INSTDIR
  ${EndIf}
!macroend

; Addresses of ours (skilltender://install?source=...) open the app, which shows what they name and asks. The msi
; registers none.
!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "Software\Classes\skilltender" "" "URL:Skilltender"
  WriteRegStr SHCTX "Software\Classes\skilltender" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\skilltender\shell\open\command" "" '"$INSTDIR\skilltender-app.exe" "%1"'
!macroend

!macro NSIS_HOOK_POSTUNINSTALL
  DeleteRegKey SHCTX "Software\Classes\skilltender"
!macroend
