import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { HermesError, type HermesOptions, type PathPolicy } from '../../../0-contracts/src/index.js'
import { canonicalOf, isInside } from '../../../2-files/src/index.js'
import { extensionsOf, type ConfiguredExtension } from './extension-settings.js'
import { hooksOf, type Hook } from './hook-settings.js'
import { hermesHome, shownOwnFile } from './hermes-home.js'
import { mergePolicies, type MergedPolicy, type PolicyWishes } from './merge-policies.js'
import { directoryOf, pathPolicy } from './path-policy.js'
import { misnamedFiles, projectPolicyFiles, readSource, userPolicyFile } from './policy-files.js'
import { checkPolicy, policyError, type PolicySource } from './source.js'
import { verbModulesOf, type VerbModule } from './verb-modules.js'

export interface PolicyRequest {
  /** Absolute, links resolved. */
  root: string
  /** Further directories that commands may write to; absolute, links resolved. Default: none. */
  allow?: readonly string[]
  policy: HermesOptions['policy']
  wishes: PolicyWishes
  /** Directories of a client (absolute, links resolved): verbs touch nothing outside them, whatever else is allowed. */
  within?: readonly string[] | undefined
}

export interface LoadedPolicy extends MergedPolicy {
  /** Rules for the path gate; `undefined` where no file has any. */
  paths: PathPolicy | undefined
  /** Commands around each run. */
  hooks: readonly Hook[]
  /** Extensions of the user's file that provide verbs. */
  verbExtensions: readonly ConfiguredExtension[]
  /** Modules of the user's file that provide verbs. */
  verbModules: readonly VerbModule[]
}

/**
 * Reads the policy files that apply to a root, and merges them with the options.
 *
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read (`hermes.yaml:7:3: …`), `POLICY_DENIED` where an
 *   option asks for what a file denies, or the root is outside the user's `roots`
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
  return {
    ...merged, paths: pathPolicy(sources, home), hooks: hooksOf(user, projects, home, root),
    verbExtensions: extensionsOf(user, true), verbModules: verbModulesOf(user),
    warnings: [...policy === false ? [] : misnamedFiles(root), ...merged.warnings],
  }
}

/** The user's policy (file or option) and the projects' files, nearest first. */
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
 * Checks the option `policy`; a missing file is only detected when it is read.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function checkPolicyOption(policy: HermesOptions['policy']): void {
  if (typeof policy === 'object') ofOption(policy)
  else if (policy === '') throw new HermesError('INVALID_OPTION', 'Invalid option policy: an empty path', {
    hint: 'Give the path of a policy file, its content as an object, or false.',
  })
}

/**
 * Only the user's policy.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export async function userPolicy(policy: HermesOptions['policy']): Promise<PolicySource | undefined> {
  if (policy === false) return undefined
  if (typeof policy === 'object') return ofOption(policy)
  if (policy === undefined) return readSource(userPolicyFile(), shownOwnFile(), undefined)
  const source = await readSource(resolve(policy), policy, undefined)
  if (source === undefined) throw policyError('INVALID_POLICY', [`${policy}: there is no such file`])
  return source
}

/**
 * The extensions of `~/.hermes/config.yaml`, in its order. A project's file names none: it would start programs.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export async function userExtensions(): Promise<ConfiguredExtension[]> {
  return extensionsOf(await userPolicy(undefined))
}

function ofOption(policy: unknown): PolicySource {
  const values = checkPolicy(policy, () => ({ text: "option 'policy'", order: 0 }), {
    code: 'INVALID_OPTION', isProject: false,
  })
  return { values, directory: undefined, place: () => "option 'policy'" }
}

function ofClient(roots: readonly string[]): PolicySource {
  return { values: { roots: [...roots] }, directory: undefined, place: () => 'those of the client' }
}

/**
 * Ensures that `HERMES_HOME`, which holds keys, is not inside the root or an allowed directory, even by a link: the
 * sandbox shows these to commands. `~/.hermes` is protected wherever it is.
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

/** Checks the root at once; otherwise every single path would be refused. */
function checkRoot(root: string, user: PolicySource, home: string): void {
  const roots = user.values.roots?.map((written) => directoryOf(written, user, home))
  if (!roots || roots.some((directory) => isInside(directory, root) || isInside(root, directory))) return
  throw new HermesError('POLICY_DENIED', `The root ${root} is outside of roots, ${user.place('roots')}`, {
    hint: `Work in one of ${roots.join(', ')}, or add the directory there.`,
  })
}
