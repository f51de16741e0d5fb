; Where the installer for one person puts the programs: beside those of other programs. Tauri's default is
; %LOCALAPPDATA%\Skilltender, which is above the person's own data (%LOCALAPPDATA%\Skilltender\Skilltender\data).
; Another folder that the person chose, or an earlier installation has, stays.
!macro NSIS_HOOK_PREINSTALL
  ${If} $INSTDIR == "$LOCALAPPDATA\${PRODUCTNAME}"
    StrCpy $INSTDIR "$LOCALAPPDATA\Programs\${PRODUCTNAME}"
    SetOutPath $INSTDIR
  ${EndIf}
!macroend
