import { appendFileSync, constants, openSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  HermesError, isNodeError, orNothing, type ExecutionResult, type Given, type HermesEvent, type HermesOptions,
  type ReadFormat, type Touch,
} from '../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../1-registry/src/index.js'
import {
  bytesAt, closing, makeOutputDirectory, noteRunRoots, openOutput, outputTarget,
} from '../../2-files/src/index.js'
import { createMasker, usageError } from '../../0-text/src/index.js'
import { exportFormat } from './export-transcript.js'
import { defined } from './fields.js'
import type { TranscriptSettings } from './transcript-model.js'
import { Recorder } from './recorder.js'
import { StartingFiles } from './starting-files/index.js'
import type { PreparedText } from './rewritten/index.js'
import { verbVersionsOf } from './recording.js'
import { trajectoryLine, transcriptOfRun } from './trajectory.js'

export interface RunKeeper {
  /**
   * @param editFormats in place of those in the options
   * @param prepared how extensions changed the text
   */
  begin(text: string, editFormats?: readonly ReadFormat[], prepared?: PreparedText): void
  event(event: HermesEvent): void
  /** Only for a recording: receives what the run is about to use. */
  touch: ((touch: Touch) => void) | undefined
  /** @throws HermesError where the run could not be saved */
  end(text: string, result: ExecutionResult, registry: VerbRegistry): Promise<void>
}

export interface RunKeeperRequest {
  /** File for a recording of the run. */
  record: string | undefined
  /** File to which a line of training data is appended. */
  trajectory: string | undefined
  /** Format of that line. */
  format: string
  /** Further secrets to mask, by name, besides those of the environment. */
  secrets?: Readonly<Record<string, string>>
  /** Options of the run. */
  options: HermesOptions & Given<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>
}

/**
 * Saves a run in the requested files; `undefined` where none are requested.
 *
 * @throws HermesError `INVALID_OPTION`, and for a file that cannot be written
 */
export function runKeeper(
  { record, trajectory, format: written, secrets, options }: RunKeeperRequest,
): RunKeeper | undefined {
  const format = exportFormat(written)
  if (record === undefined && trajectory === undefined) return undefined
  if (options.dryRun) {
    throw usageError('A dry run is no run to keep', 'Leave out --record and --trajectory, or --dry-run.')
  }
  noteRunRoots([options.root, ...options.allow ?? []])
  const masker = createMasker({ ...process.env, ...secrets }, { shapes: true, isSized: true })
  const recorder = record === undefined ? undefined : new Recorder(record, masker)
  if (trajectory !== undefined) requireTrajectories(trajectory, outputTarget(trajectory))
  if (trajectory !== undefined) append(trajectory, '', 'Name a file in a directory that you may write.')
  const root = resolve(options.root)
  // An unresolvable root is reported by the executor.
  const canonical = orNothing(() => realpathSync.native(root), root)
  const { rootAliases, editFormats, mapping, match, atomic, toolsets } = options
  const settings = defined<TranscriptSettings>({
    relativePaths: options.relativePaths === true || undefined, editFormats, mapping, match, atomic, toolsets,
    startsInThink: options.startsInThink === true || undefined,
    gitCommit: options.gitCommit === false ? false : undefined,
  })
  const starting = recorder && new StartingFiles({
    root: canonical, aliases: rootAliases, masker, sink: recorder.startingFiles(),
  })
  let extended: PreparedText | undefined
  return {
    begin(text, formats, prepared) {
      if (formats) settings.editFormats = formats
      extended = prepared
      recorder?.begin({ root: canonical, rootAliases, settings, text, prepared })
    },
    event: (event) => recorder?.event(event),
    touch: starting && ((touch) => starting.touch(touch)),
    async end(text, result, registry) {
      if (trajectory !== undefined) {
        const rules = { relativePaths: options.relativePaths === true, root, rootAliases }
        const verbVersions = verbVersionsOf(result.results)
        const transcript = masker.value(transcriptOfRun({ text, prepared: extended }, result, {
          root: canonical, rootAliases,
          settings: Object.keys(verbVersions).length === 0 ? settings : { ...settings, verbVersions },
        }))
        const line = await trajectoryLine(transcript, format, { registry, rules })
        append(trajectory, `${line}\n`, 'The blocks did run: do not run them again for the trajectory.')
      }
      recorder?.close()
    },
  }
}

/**
 * Refuses to append to a file with other content.
 *
 * @throws HermesError `EEXIST`
 */
function requireTrajectories(file: string, target: string): void {
  if (orNothing(() => statSync(target).isFile(), false) !== true || beginsJson(target)) return
  throw new HermesError('EEXIST', `${file} is there, and holds no trajectories`, { hint: 'Name a new file, or '
    + 'one to add to.' })
}

/** Whether a file is empty, or begins with a JSON object. */
function beginsJson(file: string): boolean {
  const first = orNothing(() => closing(openSync(file, 'r'), (fd) => bytesAt(fd, 0, 1).toString('latin1')), '')
  return first === '' || first === '{'
}

function append(file: string, text: string, hint: string): void {
  try {
    makeOutputDirectory(file)
    const opened = openOutput(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
    closing(opened, (descriptor) => appendFileSync(descriptor, text))
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the trajectory ${file} (${error.code})`, { hint, cause: error })
  }
}
