import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { hermesHome, hermesSecrets } from '../../2-config/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { realPath } from './home.js'
import { shownFrom, type Mount } from './mounts.js'

/** Where programs keep keys, tokens and passwords in a home. */
const OF_HOME: readonly string[] = [
  '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.oci', '.fly', '.pulumi', '.vault-token', '.terraform.d',
  '.terraformrc', '.netlify', '.vercel', '.heroku', '.minikube', '.boto', '.s3cfg', '.netrc', '.npmrc', '.yarnrc',
  '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.git-credentials', '.gem/credentials', '.bundle/config',
  '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.cargo/credentials',
  '.cargo/credentials.toml', '.condarc', '.composer/auth.json', '.nuget/NuGet/NuGet.Config', '.password-store',
  '.env', '.mozilla', '.thunderbird',
  '.config/gcloud', '.config/gh', '.config/glab-cli', '.config/hub', '.config/containers/auth.json',
  '.config/composer/auth.json', '.config/configstore', '.config/doctl', '.config/fly', '.config/git/credentials',
  '.config/google-chrome', '.config/chromium', '.config/helm', '.config/hcloud', '.config/op', '.config/pip',
  '.config/rclone', '.config/sops', '.config/stripe', '.local/share/keyrings', '.local/share/com.vercel.cli',
]
/** The same beside programs, wherever that is: by the name of a file or directory. */
const NAMES = new RegExp(`^(?:${[
  String.raw`\.?(?:npmrc|netrc|_netrc|pypirc|pgpass|condarc|yarnrc|git-credentials|vault-token|terraformrc|s3cfg)`,
  String.raw`\.yarnrc\.yml`, String.raw`\.env(?:\..+)?`, String.raw`\.(?:aws|ssh|gnupg|kube|azure|docker|fly|pulumi)`,
  String.raw`\.?credentials?(?:\.(?:json|toml|ya?ml|txt|ini|db|xml|tfrc\.json))?`,
  String.raw`\.?(?:[\w-]+[-_])?(?:tokens?|secrets?|apikey|api[-_]key|password)(?:\.(?:json|toml|ya?ml|txt|ini))?`,
  String.raw`id_(?:rsa|dsa|ecdsa|ed25519)`, String.raw`auth\.(?:json|toml)`, String.raw`.+\.(?:p12|pfx|keystore|kdbx)`,
].join('|')})$`, 'i')
/** How deep it is looked for there, and in directories of how many entries: below lie packages. */
const DEPTH = 3
const MOST_ENTRIES = 1000
/** Of packages and their code, in which such names mean something else. */
const PACKAGES = /^(?:node_modules|site-packages|dist-packages|include|share|src|registry|git|mod|gems|pkgs)$/

/** Mounts that cover credentials with nothing; of what as in `credentialsShown`. */
export function hiddenCredentials(...shown: Parameters<typeof credentialsShown>): Mount[] {
  return credentialsShown(...shown).flatMap(cover)
}

/**
 * Credentials that lie in what is shown.
 *
 * @param home canonical
 * @param prefixes read-only directories and files for the programs in PATH
 * @param writable the root and the directories that the user allowed: of these only what belongs to the home counts
 */
export function credentialsShown(home: string, prefixes: readonly string[], writable: readonly string[]): string[] {
  const shown = [...prefixes, ...writable]
  const isAsked = (path: string) => writable.some(place => isInside(path, place))
  const ofHome = home === '/' ? [] : OF_HOME.map(name => join(home, name))
  const beside = prefixes.flatMap(prefix => credentialsIn(prefix, DEPTH))
  const paths = [...ofHome, ...beside].flatMap(path => realPath(path) ?? [])
  return [...new Set(paths)].filter(path => shown.some(place => isInside(place, path)) && !isAsked(path))
}

/**
 * Mounts by which the user's directory of hermes is read-only and without its secrets, where what is shown holds it or
 * is it. To be made for each command: a run makes files there.
 */
export function hiddenHermes(shown: readonly Mount[]): Mount[] {
  const hermes = hermesShown(path => shownFrom(shown, path) === path)
  return hermes === undefined ? []
    : [{ kind: 'read', at: hermes.home, from: hermes.home }, ...hermes.secrets.flatMap(cover)]
}

/** The user's directory of hermes, and what of it nothing may read, where it is shown. */
export function hermesShown(isShown: (path: string) => boolean): { home: string; secrets: string[] } | undefined {
  const home = realPath(hermesHome())
  return home === undefined || !isShown(home) ? undefined : { home, secrets: hermesSecrets(home) }
}

function cover(path: string): Mount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  return [stat.isDirectory() ? { kind: 'memory', at: path, bytes: 4096 } : { kind: 'blank', at: path }]
}

function credentialsIn(directory: string, depth: number): string[] {
  const entries = orNothing((): Dirent[] => readdirSync(directory, { withFileTypes: true }), [])
  if (entries.length > MOST_ENTRIES) return []
  return entries.flatMap(entry => {
    const path = join(directory, entry.name)
    if (NAMES.test(entry.name) && !isProgram(entry, directory)) return [path]
    return entry.isDirectory() && depth > 1 && !PACKAGES.test(entry.name) ? credentialsIn(path, depth - 1) : []
  })
}

/** A program may be called `token`. */
function isProgram(entry: Dirent, directory: string): boolean {
  if (entry.isDirectory()) return false
  const { mode = 0 } = lstatSync(join(directory, entry.name), { throwIfNoEntry: false }) ?? {}
  return (mode & 0o111) !== 0 && /\/(?:s?bin|shims|\.bin|condabin)$/.test(dirname(join(directory, entry.name)))
}
