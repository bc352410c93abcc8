# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# What every script of tests/vm needs: where things are, how an architecture is
# called by whom, and Debian packages of any architecture without touching the
# machine's own apt and dpkg.  Sourced, never run.

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vm_top=$(cd "$vm_dir/../.." && pwd)
vm_cache=${THREADPROF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/threadprof}
# The guest's release; the host's own, so that programs built here run there.
vm_release=bookworm

# The kernel's build must not hear what a make around it was told.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
unset ARCH CC LD AR CFLAGS CPPFLAGS LDFLAGS CROSS_COMPILE KDIR V W C O M
# Names are compared and sorted byte by byte.
export LC_ALL=C

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

note() {
	echo "${0##*/}: $*" >&2
}

# set_arch ARCH: names of ARCH at Debian (deb), in a tuple, in the kernel tree.
set_arch() {
	arch=$1
	case $arch in
	arm64) deb=arm64 tuple=aarch64-linux-gnu karch=arm64 ;;
	x86_64) deb=amd64 tuple=x86_64-linux-gnu karch=x86 ;;
	*) die "unknown architecture '$arch' (arm64 or x86_64)" ;;
	esac
	# Empty for a native compiler.
	cross=
	[[ $(uname -m) == "${tuple%%-*}" ]] || cross=$tuple-
}

# lock NAME: nobody else makes NAME until unlock, which undoes the last lock, or
# this process ends.  Look again for the finished thing once the lock is held.
locks=()
lock() {
	local fd
	mkdir -p "$vm_cache/lock"
	exec {fd}>"$vm_cache/lock/$1"
	flock "$fd"
	locks+=("$fd")
}

unlock() {
	local fd=${locks[-1]}
	exec {fd}>&-
	unset 'locks[-1]'
}

# hash_files FILE...: short digest of the contents, to name what is made from them.
hash_files() {
	cat -- "$@" | sha256sum | cut -c1-12
}

# --- Debian packages ------------------------------------------------------

# The machine's Debian archives of this release, in one-line form.
apt_sources() {
	# shellcheck disable=SC2016 # apt's own $(...)
	apt-get indextargets --format \
		'$(CREATED_BY) $(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' |
	awk -v rel="$vm_release" '
		$1 == "Packages" && $4 == "main" && ($5 == "" || $5 == "Debian") &&
		$3 ~ "^" rel "(-updates|-security)?$" && !seen[$2 $3]++ {
			print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]", $2, $3, "main"
		}'
}

# apt_state DEB: a private apt for architecture DEB, its lists fetched once.
apt_state() {
	apt_dir=$vm_cache/apt/$1
	[[ -e $apt_dir/ready ]] && return
	mkdir -p "$apt_dir"/{lists/partial,archives/partial,empty}
	: >"$apt_dir/status"
	apt_sources >"$apt_dir/sources.list"
	[[ -s $apt_dir/sources.list ]] ||
		die "no Debian $vm_release archive in this machine's apt sources"
	# The machine's own settings stay in force (proxies); its hooks do not.
	cat >"$apt_dir/apt.conf" <<-CONF
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	#clear DPkg::Pre-Install-Pkgs;
	#clear DPkg::Pre-Invoke;
	#clear DPkg::Post-Invoke;
	#clear APT::Architectures;
	APT::Architecture "$1";
	APT::Architectures { "$1"; };
	APT::Sandbox::User "";
	APT::Get::AllowUnauthenticated "false";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Dir::State "$apt_dir";
	Dir::State::lists "$apt_dir/lists";
	Dir::State::status "$apt_dir/status";
	Dir::State::extended_states "$apt_dir/extended_states";
	Dir::Cache "$apt_dir";
	Dir::Cache::archives "$apt_dir/archives";
	Dir::Cache::pkgcache "$apt_dir/pkgcache.bin";
	Dir::Cache::srcpkgcache "$apt_dir/srcpkgcache.bin";
	Dir::Log "$apt_dir";
	Dir::Etc::sourcelist "$apt_dir/sources.list";
	Dir::Etc::sourceparts "$apt_dir/empty";
	Dir::Etc::preferences "$apt_dir/empty/none";
	Dir::Etc::preferencesparts "$apt_dir/empty";
	CONF
	apt_get "$1" update
	touch "$apt_dir/ready"
}

# apt_get DEB ARG...: apt-get of the private state; its chatter is for a log.
apt_get() {
	local dir=$vm_cache/apt/$1
	shift
	apt-get -c "$dir/apt.conf" -y -q "$@" >>"$dir/apt.log" 2>&1 || {
		tail -n 5 "$dir/apt.log" >&2
		return 1
	}
}

apt_refresh() {
	rm -f "$vm_cache/apt/$1/ready"
	apt_state "$1"
}

# fetch_closure DEB DIR PACKAGE...: DIR gets PACKAGEs and all they depend on, unpacked.
fetch_closure() {
	local d=$1 to=$2 list
	shift 2
	lock "apt-$d"
	apt_state "$d"
	apt_get "$d" --no-install-recommends --download-only install "$@" || {
		apt_refresh "$d"
		apt_get "$d" --no-install-recommends --download-only install "$@"
	} || die "can't fetch packages for $d"
	list=$(apt-get -c "$apt_dir/apt.conf" -qq --no-install-recommends \
		--print-uris -o Dir::Cache::archives="$apt_dir/empty" install "$@" |
		awk '{print $2}')
	[[ $list ]] || die "no packages for $d"
	unpack "$to" "$apt_dir/archives" "$list"
	unlock
}

# fetch_only DEB DIR PACKAGE...: DIR gets PACKAGEs alone, unpacked.
fetch_only() {
	local d=$1 to=$2 tmp
	shift 2
	lock "apt-$d"
	apt_state "$d"
	tmp=$(mktemp -d "$vm_cache/apt/fetch.XXXXXX")
	(cd "$tmp" && apt_get "$d" download "$@") || {
		apt_refresh "$d"
		(cd "$tmp" && apt_get "$d" download "$@")
	} || die "can't fetch $* for $d"
	unpack "$to" "$tmp" "$(cd "$tmp" && printf '%s\n' *.deb)"
	rm -rf "$tmp"
	unlock
}

unpack() {
	local to=$1 from=$2 name
	mkdir -p "$to"
	while read -r name; do
		dpkg-deb -x "$from/$name" "$to"
	done <<<"$3"
}

# merge_usr ROOT: /bin, /sbin and /lib* become links into /usr, as Debian installs it.
merge_usr() {
	local root=$1 d
	for d in bin sbin lib lib64; do
		mkdir -p "$root/usr/$d"
		[[ -d $root/$d && ! -L $root/$d ]] && {
			cp -a "$root/$d/." "$root/usr/$d/"
			rm -rf "${root:?}/$d"
		}
		ln -sfn "usr/$d" "$root/$d"
	done
}
