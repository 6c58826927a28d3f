; The Windows installer: for one person, without administrator's rights, without network. Called by installer.sh with
;   makensis -DVERSION=1.2.3 -DLISTS=folder -DICON=file.ico -DLICENCE=file -DOUTPUT=setup.exe -DSIZE=kilobytes
;     -DCOMPRESSION=method backscroll.nsi
; A model file beside the installer (…\models\*.gguf) is copied along: an installer itself cannot exceed 2 GB.
Unicode true
SetCompressor ${COMPRESSION}
ManifestDPIAware true
RequestExecutionLevel user
Name "Backscroll"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Backscroll"
InstallDirRegKey HKCU "Software\Backscroll" "Folder"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Backscroll"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Backscroll Setup"
VIAddVersionKey "LegalCopyright" "The Backscroll authors, MIT licence"

!include MUI2.nsh
!include x64.nsh
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Backscroll"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\backscroll.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
LangString Running ${LANG_ENGLISH} "Backscroll is running. Close it, then go on."
LangString Running ${LANG_SIMPCHINESE} "Backscroll 正在运行。请先关闭它，再继续。"
LangString Other ${LANG_ENGLISH} "There are other files in this folder. Choose an empty one."
LangString Other ${LANG_SIMPCHINESE} "此文件夹中有其他文件。请选择一个空文件夹。"
LangString Only64 ${LANG_ENGLISH} "Backscroll needs 64-bit Windows."
LangString Only64 ${LANG_SIMPCHINESE} "Backscroll 需要 64 位 Windows。"

; A program that runs has its file open, so that the file cannot be opened for writing.
!macro WaitUntilClosed
  again:
  IfFileExists "$INSTDIR\backscroll.exe" 0 closed
  ClearErrors
  FileOpen $0 "$INSTDIR\backscroll.exe" a
  IfErrors 0 writable
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDRETRY again
    Abort
  writable:
  FileClose $0
  closed:
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(Only64)" /SD IDOK
    Abort
  ${EndIf}
FunctionEnd

; Ours, a new or an empty folder; never one with somebody's files in it.
Function .onVerifyInstDir
  IfFileExists "$INSTDIR\backscroll.exe" fine
  IfFileExists "$INSTDIR\*.*" 0 fine
  FindFirst $0 $1 "$INSTDIR\*.*"
  next:
    StrCmp $1 "" empty
    StrCmp $1 "." skip
    StrCmp $1 ".." skip
    FindClose $0
    Abort
  skip:
    FindNext $0 $1
    Goto next
  empty:
  FindClose $0
  fine:
FunctionEnd

Section "Backscroll"
  !insertmacro WaitUntilClosed
  ; The version before removes what it installed; files of its own that are no longer needed go with it.
  IfFileExists "$INSTDIR\uninstall.exe" 0 +2
    ExecWait '"$INSTDIR\uninstall.exe" /S _?=$INSTDIR'
  !include "${LISTS}\install.nsh"
  SetOutPath "$INSTDIR"
  IfFileExists "$EXEDIR\models\*.gguf" 0 +3
    CreateDirectory "$INSTDIR\models"
    CopyFiles "$EXEDIR\models\*.gguf" "$INSTDIR\models"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Backscroll.lnk" "$INSTDIR\backscroll.exe"
  WriteRegStr HKCU "Software\Backscroll" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Backscroll"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\backscroll.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Backscroll authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; The archive lies in the person's own data folder and is not touched.
Section "Uninstall"
  !insertmacro WaitUntilClosed
  !include "${LISTS}\remove.nsh"
  ; Models that came with the installer; an upgrade puts them back.
  Delete "$INSTDIR\models\*.gguf"
  RMDir "$INSTDIR\models"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Backscroll.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Backscroll"
SectionEnd
