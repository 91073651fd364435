@echo off
rem Make .headroom files open in Headroom, for this user only; no administrator needed.
rem Run it from the unpacked bundle. "associate.bat /remove" takes everything back.
rem Written from the documentation; not tried on Windows.
setlocal DisableDelayedExpansion
set "CLASSES=HKCU\Software\Classes"
set "HERE=%~dp0"
rem Filled in after a line was read, so that an ampersand in the name of a folder ends no command.
setlocal EnableDelayedExpansion
if /i "%~1"=="/remove" goto remove

reg add "%CLASSES%\.headroom" /ve /d "Headroom.Project" /f >nul || exit /b 1
reg add "%CLASSES%\.headroom" /v "Content Type" /d "application/x-headroom" /f >nul
reg add "%CLASSES%\Headroom.Project" /ve /d "Headroom project" /f >nul
reg add "%CLASSES%\Headroom.Project\DefaultIcon" /ve /d "\"!HERE!headroom.ico\"" /f >nul
reg add "%CLASSES%\Headroom.Project\shell\open\command" /ve /d "\"!HERE!headroom.exe\" \"%%1\"" /f >nul
echo .headroom files now open in !HERE!headroom.exe
exit /b 0

:remove
reg delete "%CLASSES%\.headroom" /f >nul
reg delete "%CLASSES%\Headroom.Project" /f >nul
echo .headroom files no longer open in Headroom
exit /b 0
