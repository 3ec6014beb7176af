import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'

/** Directories that a version manager fills with one version of one tool alone, by the end of their path. */
const VERSIONS: readonly RegExp[] = [
  /\/\.[a-z]+env\/versions\/[^/]+$/,
  /\/\.nvm\/versions\/[^/]+\/[^/]+$/,
  /\/(?:\.asdf|asdf|mise|rtx)\/installs\/[^/]+\/[^/]+$/,
  /\/\.sdkman\/candidates\/[^/]+\/[^/]+$/,
  /\/\.rustup\/toolchains\/[^/]+$/,
  /\/\.?fnm\/node-versions\/[^/]+\/installation$/,
  /\/\.volta\/tools\/image\/[^/]+\/[^/]+$/,
  /\/pipx\/venvs\/[^/]+$/,
  /\/uv\/(?:python|tools)\/[^/]+$/,
  /\/Cellar\/[^/]+\/[^/]+$/,
  /\/\.rubies\/[^/]+$/,
  /\/\.rvm\/(?:rubies|gems)\/[^/]+$/,
  /\/\.ghcup\/ghc\/[^/]+$/,
  /\/\.juliaup\/julia-[^/]+$/,
  /\/\.opam\/[^/]+$/,
  /\/composer\/vendor$/,
  /\/node_modules$/,
]

/** What of a manager's own directory its programs need, by the end of its path. */
const MANAGERS: readonly (readonly [end: RegExp, shown: readonly string[]])[] = [
  [
    /\/\.[a-z]+env$/,
    [
      'bin', 'libexec', 'plugins', 'shims', 'version', 'versions', 'pyenv.d', 'rbenv.d', 'nodenv.d', 'goenv.d',
      'completions',
    ],
  ],
  [
    /\/\.?asdf$/,
    ['asdf.sh', 'bin', 'installs', 'lib', 'libexec', 'plugins', 'shims', '../.tool-versions', '../.asdfrc'],
  ],
  [/\/(?:mise|rtx)$/, ['installs', 'plugins', 'shims']],
  [/\/\.volta$/, ['bin', 'tools', 'hooks.json', 'layout.v2', 'layout.v3', 'layout.v4', 'volta.lock']],
  // Rustup's proxies in `~/.cargo/bin` start the toolchains. Cargo keeps its registry's token beside `bin`.
  [/\/\.cargo$/, ['bin', 'registry', 'git', 'env', '../.rustup/toolchains', '../.rustup/settings.toml']],
  [/\/\.nvm\/versions\/node\/[^/]+$/, ['../../../nvm.sh', '../../../alias']],
  [/\/\.local$/, ['bin', 'lib', 'libexec']],
  [/\/\.bun$/, ['bin', 'install/global']],
  [/\/go$/, ['bin', 'pkg/mod']],
  [/\/\.rvm$/, ['bin', 'environments', 'gems', 'rubies', 'scripts', 'wrappers']],
  [/\/\.ghcup$/, ['bin', 'ghc', 'cabal', 'hls', 'stack']],
  [/\/\.dotnet$/, ['dotnet', 'host', 'packs', 'sdk', 'shared', 'templates', 'tools', '.store']],
  [/\/\.dotnet\/tools$/, ['../dotnet', '../host', '../packs', '../sdk', '../shared', '.store']],
  [/\/pnpm$/, ['global', 'nodejs', 'pnpm']],
  [
    /\/\.?(?:homebrew|linuxbrew)$/,
    [
      'bin', 'sbin', 'Cellar', 'Caskroom', 'Frameworks', 'Homebrew', 'Library', 'include', 'lib', 'libexec', 'opt',
      'share', 'etc/ca-certificates', 'etc/fonts', 'etc/ld.so.cache', 'etc/ld.so.conf', 'etc/openssl@1.1',
      'etc/openssl@3',
    ],
  ],
]

/** What of a prefix its programs need, told by what lies in it: all the names of `by` have to be there. */
const TOOLCHAINS: readonly { by: readonly string[]; shown: readonly string[] }[] = [
  {
    by: ['conda-meta'],
    shown: [
      'bin', 'condabin', 'conda-meta', 'compiler_compat', 'envs', 'etc/conda', 'etc/fonts', 'etc/profile.d', 'include',
      'lib', 'lib64', 'libexec', 'sbin', 'share', 'shell', 'ssl', 'x86_64-conda-linux-gnu', 'aarch64-conda-linux-gnu',
    ],
  },
  { by: ['pyvenv.cfg'], shown: ['include', 'lib', 'lib64', 'pyvenv.cfg', 'share'] },
  { by: ['lib/node_modules'], shown: ['lib/node_modules', 'include/node'] },
  { by: ['lib/ruby'], shown: ['lib/ruby'] },
  { by: ['lib/rustlib'], shown: ['lib', 'libexec', 'share'] },
  { by: ['lib/clang'], shown: ['include', 'lib', 'libexec', 'share'] },
  { by: ['lib/gcc'], shown: ['include', 'lib', 'lib64', 'libexec', 'share'] },
  { by: ['VERSION', 'pkg/tool'], shown: ['VERSION', 'api', 'go.env', 'lib', 'misc', 'pkg', 'src'] },
  // Java; `lib/modules` since 9.
  { by: ['release', 'lib/modules'], shown: ['conf', 'include', 'jmods', 'legal', 'lib', 'release'] },
  { by: ['release', 'jre'], shown: ['include', 'jre', 'lib', 'release'] },
]
/** What lies beside `bin` of a package that an administrator has installed. */
const BESIDE_BIN = ['include', 'lib', 'lib64', 'libexec', 'share']
/** Files of an interpreter in the `lib` of its prefix. */
const LIBRARIES = /^(?:lib)?(?:python|ruby)[\w.-]*$/

/** Whether a directory holds programs by its name. */
export function isProgramDirectory(directory: string): boolean {
  return ['bin', 'sbin', 'shims', '.bin', 'condabin', 'scripts'].includes(basename(directory))
}

/** The directory of a version manager's that holds one version of a tool, with a path in it; the outermost. */
export function versionDirectory(path: string): string | undefined {
  let directory: string | undefined
  for (let here = path; here !== dirname(here); here = dirname(here)) {
    if (VERSIONS.some(end => end.test(here))) directory = here
  }
  return directory
}

/** What the programs below a prefix need of it, as far as it is there: never all of it. */
export function neededOf(prefix: string): string[] {
  const managed = MANAGERS.find(([end]) => end.test(prefix))?.[1] ?? []
  const told = TOOLCHAINS.filter(({ by }) => by.every(name => existsSync(join(prefix, name))))
  const libraries = orNothing(() => readdirSync(join(prefix, 'lib')), []).filter(name => LIBRARIES.test(name))
  const names = [...managed, ...told.flatMap(({ shown }) => shown), ...libraries.map(name => `lib/${name}`)]
  return [...new Set(names.map(name => join(prefix, name)))].filter(path => existsSync(path))
}

export function besideBin(prefix: string): string[] {
  return BESIDE_BIN.map(name => join(prefix, name)).filter(path => existsSync(path))
}
