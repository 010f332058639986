# The Debian package, built by cpack (see docs/operations.md). The install() rules of each folder
# define its content. Files that exist only in the package are the component `package`, below.

# A package is for the Debian release that it was built on. The version of the package for a later
# release is higher, so that an upgrade of the system replaces it.
file(STRINGS /etc/os-release debian REGEX "^VERSION_ID=")
string(REGEX REPLACE "[^0-9.]" "" debian "${debian}")
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}+deb${debian})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shipahoy)
set(CPACK_PACKAGE_CONTACT "Ship Ahoy table controller authors <shipahoy@users.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "controller for a Ship Ahoy table: applies the rules, keeps the score")
set(CPACK_PACKAGE_DESCRIPTION
"A daemon for a table on which Ship Ahoy is played, a dexterity game in which a
cannon fires cannonball tokens at ships and towers. It reads light beams, tilt
switches and the encoder of a measuring rope from GPIO lines, applies the
rules, records every game and publishes it over MQTT.
.
The package also contains a logbook that keeps all games and statistics, a
command line tool, a scoreboard for browsers, and a program that sets up
mosquitto and nginx with users for phones. The sensors are simulated until
real ones are configured.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The unit is reloaded with /bin/kill of procps.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "procps, systemd | systemd-standalone-sysusers | systemd-sysusers")
# Of these `shipahoy-user setup` needs the first two, --https also openssl; the rest finds and announces addresses.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mosquitto, nginx, openssl, avahi-daemon, avahi-utils, iproute2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mosquitto-clients, qrencode, cage, chromium")
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${here}/conffiles ${here}/postinst ${here}/prerm ${here}/postrm)

set(made ${CMAKE_CURRENT_BINARY_DIR}/package)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${here}/changelog.in ${made}/changelog)
gzip_file(${made}/changelog ${made}/changelog.gz)
gzip_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${made}/CHANGELOG.md.gz)
add_custom_target(package_files ALL DEPENDS ${made}/changelog.gz ${made}/CHANGELOG.md.gz)

# Only the package installs a configuration; `cmake --install` does not.
install(FILES ${PROJECT_SOURCE_DIR}/config/shipahoy.ini DESTINATION /etc/shipahoy
  COMPONENT package EXCLUDE_FROM_ALL)
install(FILES ${here}/copyright ${made}/changelog.gz ${made}/CHANGELOG.md.gz
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT package EXCLUDE_FROM_ALL)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};shipahoy;ALL;/" "${PROJECT_BINARY_DIR};shipahoy;package;/")

# /etc is outside the prefix.
set(CPACK_SET_DESTDIR ON)
set(CPACK_PRE_BUILD_SCRIPTS ${here}/check.cmake)
include(CPack)
