import { isAbsolute } from 'node:path'
import type { TerminalSettings } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'

/** What the facts depend on. */
export interface BackendPlace {
  terminal: TerminalSettings
  /** A sentence on whether commands reach the network. */
  reach: string
}

type OtherBackend = Exclude<NonNullable<TerminalSettings['backend']>, 'local'>

/** What a model has to know of each place for commands other than this machine: where it is, and what lasts. */
export const BACKEND_FACTS: Readonly<Record<OtherBackend, (place: BackendPlace) => string>> = {
  docker: place => inContainer('docker', place.terminal.docker_image, place),
  singularity: place => inContainer('singularity', place.terminal.singularity_image, place),
  modal: () => 'Commands cannot run: terminal.backend is modal, for which hermes has no client.',
  ssh: () => 'Commands run as its user, without a sandbox. Nobody answers what they ask.',
}

function inContainer(engine: string, image: string | undefined, { terminal: { cwd }, reach }: BackendPlace): string {
  const at = cwd === undefined || !isAbsolute(cwd) ? 'at its own path' : `at ${escapeControls(cwd)}`
  return `Commands run in a ${engine} container (image ${escapeControls(image ?? 'none')}) that has the project ${at}, `
    + 'so they and the tools for files see the same files. What they install, /tmp and servers they leave running '
    + '(output to a file) last until the task ends; they are not root, so install below the home '
    + `(pip install --user). ${reach}`
}
