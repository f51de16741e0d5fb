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

; Clients' files name a program that goes now. Whoever removes it is asked whether it is taken out of them; an update,
; which removes the old version first, and an uninstallation that asks nothing leave them.
!macro NSIS_HOOK_PREUNINSTALL
  ${If} $UpdateMode != 1
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Clients whose files name Skilltender will not find it any more.$\n$\nTake it out of their files first? That is what the command 'skilltender uninstall' does: your skills, choices and secrets stay." /SD IDNO IDNO skilltender_stays_in_files
    nsExec::ExecToLog '"$INSTDIR\skilltender.exe" uninstall --yes'
    Pop $0
    ${If} $0 != 0
      MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "Not everything could be taken out. In a terminal, 'skilltender uninstall' says why.$\n$\nRemove the programs all the same?" /SD IDOK IDOK skilltender_stays_in_files
      Abort
    ${EndIf}
    skilltender_stays_in_files:
  ${EndIf}
!macroend

!macro NSIS_HOOK_POSTUNINSTALL
  DeleteRegKey SHCTX "Software\Classes\skilltender"
!macroend
