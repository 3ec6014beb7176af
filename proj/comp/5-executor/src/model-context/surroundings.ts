import { isAbsolute } from 'node:path'
import { HermesError, isRecord, type TerminalSettings, type VerbContext } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { operatingSystem, sessionSkills, type Skill } from '../../../4-verb-session/src/index.js'
import { VERBS } from '../verbs/index.js'
import { projectNotes } from './project-notes.js'

/** Most skills listed; skills_list has all. */
const MOST_SKILLS = 30
const LONGEST_SKILL = 120

/** What the facts depend on. */
interface BackendPlace {
  terminal: TerminalSettings
  /** A sentence on whether commands reach the network. */
  reach: string
}

type OtherBackend = Exclude<NonNullable<TerminalSettings['backend']>, 'local'>

/** What a model has to know of each place for commands other than this machine: where it is, and what lasts. */
const BACKEND_FACTS: Readonly<Record<OtherBackend, (place: BackendPlace) => string>> = {
  docker: place => inContainer('docker', place.terminal.docker_image, place),
  singularity: place => inContainer('singularity', place.terminal.singularity_image, place),
  modal: () => 'Commands cannot run: terminal.backend is modal, for which hermes has no client.',
  ssh: () => 'Commands run as its user, without a sandbox. Nobody answers what they ask.',
}

/** What is told of a skill. */
type SkillLine = Pick<Skill, 'name' | 'description'>

/**
 * Describes where a model works, as sections of its first prompt: machine, date, project, git, sandbox, skills, and the
 * project's notes for models.
 *
 * @param mask removes secrets
 * @param given the skills, if the caller has them
 */
export async function surroundings(
  context: VerbContext, mask: (text: string) => string, given?: readonly SkillLine[],
): Promise<string> {
  const { session: { root }, elsewhere } = context
  const [git, commands, skills, notes] = await Promise.all([
    gitFacts(context), commandFacts(context), skillLines(context, given), projectNotes(context, mask),
  ])
  const today = `Today is ${new Date().toLocaleDateString('sv')}.`
  const place = `The project is ${escapeControls(root)}; relative paths start there.`
  const facts = [
    ...(elsewhere ? [
      `${today} You work on the host ${escapeControls(elsewhere.host)}, by ssh: all files and all commands are there.`,
      `${place} What is changed there cannot be taken back by hermes.`,
    ] : [`${today} The system is ${escapeControls(operatingSystem())}.`, `${place}${git}`]),
    ...commands,
  ]
  const sections = [
    `## Where you work\n\n${facts.map((line) => `- ${line}`).join('\n')}`,
    skills, notes,
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

/** The git section, by `git_status`, which runs no program that the repository names. */
async function gitFacts(context: VerbContext): Promise<string> {
  if (context.policy.verbs.git.value === 'off' || context.elsewhere) return ''
  const verb = await new VerbRegistry(VERBS).load('git_status')
  try {
    const limits = { ...context.limits, commandTimeoutMs: GIT_MS }
    const status = await verb?.handler({} as never, { ...context, limits })
    if (!isRecord(status)) return ''
    const count = (key: string): number => (Array.isArray(status[key]) ? status[key].length : 0)
    const parts = [
      [count('staged') + count('unstaged'), 'changed'], [count('untracked'), 'new'],
      [count('conflicted'), 'in conflict'],
    ].filter(([number]) => number !== 0).map(([number, word]) => `${number} ${word}`)
    const branch = typeof status['branch'] === 'string' ? `on the branch ${escapeControls(status['branch'])}`
      : 'on no branch'
    const files = parts.length === 0 ? 'nothing is uncommitted' : `uncommitted files: ${parts.join(', ')}`
    return ` Git is ${branch}; ${files}.`
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return error.code === 'NOT_A_REPOSITORY' ? ' It is in no git repository.' : ''
  }
}

/** Time limit in milliseconds: in a repository where git takes longer, a model can ask for the status itself. */
const GIT_MS = 3000

async function commandFacts({ policy, limits, sandbox }: VerbContext): Promise<string[]> {
  const { exec, network } = policy.verbs
  if (exec.value === 'off') return ['Commands are switched off.']
  const { backend = 'local' } = policy.terminal
  const time = `A command may take ${limits.commandTimeoutMs / 1000} s where its call asks for no other time.`
  const reach = network.value !== 'on' ? 'They have no network.'
    : policy.hosts === undefined ? 'They reach the network.' : reachedHosts(policy.hosts.value)
  if (backend !== 'local') return [`${BACKEND_FACTS[backend]({ terminal: policy.terminal, reach })} ${time}`]
  if (policy.sandbox.value === 'none') return [`Commands run without a sandbox, as the user. ${time}`]
  const problem = await sandbox.problem()
  if (problem !== undefined) {
    const why = `(${escapeControls(problem)})`
    return [policy.sandbox.value === 'auto'
      ? `No sandbox works here ${why}: a command runs only where the user approves it, and then as the user. ${time}`
      : `Commands do not run: the sandbox ${policy.sandbox.value} does not work here ${why}.`]
  }
  return [
    'Commands run in a sandbox: they change the project and temporary files, and nothing else. '
      + `${reach} Nobody answers what they ask. ${time}`,
  ]
}

function inContainer(engine: string, image: string | undefined, { terminal: { cwd }, reach }: BackendPlace): string {
  const at = cwd === undefined || !isAbsolute(cwd) ? 'at its own path' : `at ${escapeControls(cwd)}`
  return `Commands run in a ${engine} container (image ${escapeControls(image ?? 'none')}) that has the project ${at}, `
    + 'so they and the tools for files see the same files. What they install, /tmp and servers they leave running '
    + '(output to a file) last until the task ends; they are not root, so install below the home '
    + `(pip install --user). ${reach}`
}

/** Most hosts that are listed. */
const MOST_HOSTS = 20

function reachedHosts(hosts: readonly string[]): string {
  const more = hosts.length - MOST_HOSTS
  const list = `${hosts.slice(0, MOST_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Of the network they reach only ${list}, by the HTTP proxy that HTTPS_PROXY names.`
}

/** @param given skills found on this machine; on another host there are others */
async function skillLines(context: VerbContext, given: readonly SkillLine[] | undefined): Promise<string> {
  const skills = context.elsewhere === undefined && given ? given : (await sessionSkills(context)).skills
  if (skills.length === 0) return ''
  const lines = skills.slice(0, MOST_SKILLS).map(({ name, description }) => (
    `- ${name}: ${clip(escapeControls(description), LONGEST_SKILL)}`
  ))
  const more = skills.length > MOST_SKILLS ? `\n\n${skills.length - MOST_SKILLS} more: skills_list.` : ''
  return `## Skills\n\nKnowledge for tasks of a kind; skill_view shows one.\n\n${lines.join('\n')}${more}`
}
