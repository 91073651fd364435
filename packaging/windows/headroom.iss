; Inno Setup's recipe for an installer: iscc packaging\windows\headroom.iss, after run.py bundle.
; Written from the documentation of Inno Setup 6; not tried on Windows.
#define Root "..\.."
#define Bundle Root + "\dist\headroom"
#define Version GetStringFileInfo(Bundle + "\headroom.exe", "ProductVersion")

[Setup]
AppId={{0B9B8E0C-6E0F-4C0D-9C55-48EAD700A001}
AppName=Headroom
AppVersion={#Version}
AppPublisher=The Headroom authors
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Headroom
DefaultGroupName=Headroom
DisableProgramGroupPage=yes
; For this user without an administrator; the wizard offers all users too.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
LicenseFile={#Root}\LICENSE
SetupIconFile={#Bundle}\headroom.ico
UninstallDisplayIcon={app}\headroom.exe
OutputDir={#Root}\dist
OutputBaseFilename=Headroom-{#Version}-setup
Compression=lzma2
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Excludes: "associate.bat"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; What an older version brought and this one doesn't.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\Headroom"; Filename: "{app}\headroom.exe"

; The same names as in associate.bat.
[Registry]
Root: HKA; Subkey: "Software\Classes\.headroom"; ValueType: string; ValueData: "Headroom.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.headroom"; ValueType: string; ValueName: "Content Type"; ValueData: "application/x-headroom"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Headroom.Project"; ValueType: string; ValueData: "Headroom project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Headroom.Project\DefaultIcon"; ValueType: string; ValueData: """{app}\headroom.ico"""
Root: HKA; Subkey: "Software\Classes\Headroom.Project\shell\open\command"; ValueType: string; ValueData: """{app}\headroom.exe"" ""%1"""

[Run]
Filename: "{app}\headroom.exe"; Description: "{cm:LaunchProgram,Headroom}"; Flags: nowait postinstall skipifsilent
