import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { HermesError, type HermesOptions, type PathPolicy } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-files/src/index.js'
import { canonicalOf } from './glob.js'
import { extensionsOf, type ConfiguredExtension } from './extension-settings.js'
import { hooksOf, type Hook } from './hook-settings.js'
import { hermesHome } from './hermes-home.js'
import { mergePolicies, type MergedPolicy, type PolicyWishes } from './merge-policies.js'
import { directoryOf, pathPolicy } from './path-policy.js'
import { misnamedFiles, projectPolicyFiles, readPolicyFile, USER_FILE, userPolicyFile } from './policy-files.js'
import { checkPolicy, policyError, type PolicySource } from './source.js'
import { verbModulesOf, type VerbModule } from './verb-modules.js'

export interface PolicyRequest {
  /** Canonical. */
  root: string
  /** Further directories that commands write, canonical. Default: none. */
  allow?: readonly string[]
  policy: HermesOptions['policy']
  wishes: PolicyWishes
  /** Directories, canonical, of which verbs touch nothing outside, whatever else is allowed: those of a client. */
  within?: readonly string[] | undefined
}

export interface LoadedPolicy extends MergedPolicy {
  /** For the path gate; `undefined` where no file says anything of paths. */
  paths: PathPolicy | undefined
  /** Commands around each run. */
  hooks: readonly Hook[]
  /** The extensions of the user's file that bring verbs. */
  verbExtensions: readonly ConfiguredExtension[]
  /** The modules of the user's file that bring verbs. */
  verbModules: readonly VerbModule[]
}

/**
 * Reads the policy files that count for a root, and makes one policy of them and of the options.
 *
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read (`hermes.yaml:7:3: …`), `POLICY_DENIED` where an
 *   option asks for what a file refuses, or the root is outside of the user's `roots`
 */
export async function loadPolicy(
  { root, allow = [], policy, wishes, within }: PolicyRequest,
): Promise<LoadedPolicy> {
  const home = homedir()
  checkHome(root, allow)
  const { user, projects } = await policySources(root, policy)
  const bounds = within ? [ofClient(within)] : []
  for (const source of [...(user ? [user] : []), ...bounds]) checkRoot(root, source, home)
  const sources = [...(user ? [user] : []), ...projects, ...bounds]
  const merged = mergePolicies(user, projects, wishes)
  const misnamed = policy === false ? [] : misnamedFiles(root)
  return {
    ...merged, paths: pathPolicy(sources, home), hooks: hooksOf(user, projects, home, root),
    verbExtensions: extensionsOf(user, true), verbModules: verbModulesOf(user),
    warnings: [...misnamed, ...merged.warnings],
  }
}

/** The files that count, or what stands in the place of the user's; the projects' nearest first. */
export async function policySources(
  root: string, policy: HermesOptions['policy'],
): Promise<{ user: PolicySource | undefined; projects: PolicySource[] }> {
  const user = await userPolicy(policy)
  const projects: PolicySource[] = []
  if (policy !== false) {
    for (const { path, name, directory } of projectPolicyFiles(root)) {
      const source = await readSource(path, name, directory)
      if (source) projects.push(source)
    }
  }
  return { user, projects }
}

/**
 * Checks the option `policy`; whether a file is there is seen when it is read.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function checkPolicyOption(policy: HermesOptions['policy']): void {
  if (typeof policy === 'object') ofOption(policy)
  else if (policy === '') throw new HermesError('INVALID_OPTION', 'Invalid option policy: an empty path', {
    hint: 'Give the path of a policy file, its content as an object, or false.',
  })
}

/** The user's policy alone. @throws HermesError `INVALID_POLICY` */
export async function userPolicy(policy: HermesOptions['policy']): Promise<PolicySource | undefined> {
  if (policy === false) return undefined
  if (typeof policy === 'object') return ofOption(policy)
  if (policy === undefined) return readSource(userPolicyFile(), USER_FILE, undefined)
  const source = await readSource(resolve(policy), policy, undefined)
  if (source === undefined) throw policyError('INVALID_POLICY', [`${policy}: there is no such file`])
  return source
}

function ofOption(policy: unknown): PolicySource {
  const values = checkPolicy(policy, () => ({ text: "option 'policy'", order: 0 }), {
    code: 'INVALID_OPTION', isProject: false,
  })
  return { values, directory: undefined, place: () => "option 'policy'" }
}

async function readSource(
  path: string, name: string, directory: string | undefined,
): Promise<PolicySource | undefined> {
  const text = readPolicyFile(path, name, directory === undefined)
  if (text === undefined) return undefined
  const { parsePolicy } = await import('./parse-policy.js')
  return parsePolicy(text, name, directory)
}

function ofClient(roots: readonly string[]): PolicySource {
  return { values: { roots: [...roots] }, directory: undefined, place: () => 'those of the client' }
}

/**
 * What `HERMES_HOME` names holds keys, and the sandbox shows commands the whole root and every allowed directory: it is
 * in none of them, by a link either. `~/.hermes` is closed wherever it is.
 */
function checkHome(root: string, allow: readonly string[]): void {
  if (process.env['HERMES_HOME'] === undefined) return
  const settings = canonicalOf(hermesHome())
  const holder = [root, ...allow].find(directory => isInside(directory, settings))
  if (holder === undefined || settings === canonicalOf(join(homedir(), '.hermes'))) return
  const where = holder === root ? 'the root' : `the --allow directory ${holder}`
  throw new HermesError('POLICY_DENIED', `HERMES_HOME is in ${where}: ${settings}`, {
    hint: 'Your keys and settings are there, and commands read the whole directory: move it elsewhere, '
      + 'e.g. to ~/.hermes.',
  })
}

/** Said at once: else every path would be refused, one by one. */
function checkRoot(root: string, user: PolicySource, home: string): void {
  const roots = user.values.roots?.map((written) => directoryOf(written, user, home))
  if (!roots || roots.some((directory) => isInside(directory, root) || isInside(root, directory))) return
  throw new HermesError('POLICY_DENIED', `The root ${root} is outside of roots, ${user.place('roots')}`, {
    hint: `Work in one of ${roots.join(', ')}, or add the directory there.`,
  })
}
