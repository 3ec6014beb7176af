import {
  caughtLater, HermesError, isNodeError, type FileStore, type PathProbe, type TerminalSettings,
} from '../../../0-contracts/src/index.js'
import { ownEnvironment, ownProgram } from '../../../2-processes/src/index.js'
import { sftpArguments, sshSettings, type SshSettings } from '../ssh-arguments.js'
import { SftpStatus } from './sftp-answers.js'
import { RemoteFiles, type KnownFiles } from './remote-files.js'
import { remoteProbe } from './remote-stat.js'
import { SftpClient } from './sftp-client.js'

/** Another host on which the files of a session are, and where its commands run. */
export interface RemotePlace {
  /** For people: `user@host`. */
  readonly host: string
  /** Canonical, there. */
  readonly root: string
  /** For the gate. */
  readonly probe: PathProbe
  /** The connection is gone: another place has to be opened. */
  readonly isBroken: boolean
  files(options: { keepsTexts?: boolean | undefined }): FileStore
  /** That a file is another than when it was read is no reason to refuse a write from now on. */
  forgetFiles(): void
  end(): Promise<void>
}

/** Whether the files of a session are on another host. */
export function isElsewhere({ backend }: TerminalSettings): boolean {
  return backend === 'ssh'
}

/**
 * Connects to the host that the settings name.
 *
 * @throws HermesError `NOT_INSTALLED`, `UNREACHABLE`, `INVALID_OPTION` where the directory is none
 */
export async function openRemotePlace({ cwd }: TerminalSettings): Promise<RemotePlace> {
  const settings = sshSettings(process.env, cwd)
  if (settings === undefined) {
    throw new HermesError('NOT_INSTALLED', 'terminal.backend is ssh, and TERMINAL_SSH_HOST names no host', {
      hint: 'Ask the user to set it (hermes config set TERMINAL_SSH_HOST), or to set terminal.backend to local.',
    })
  }
  return openBySsh(settings)
}

/** @throws as `openRemotePlace` */
export async function openBySsh(settings: SshSettings): Promise<RemotePlace> {
  const program = ownProgram('ssh')
  if (program === undefined) throw notInstalled('ssh')
  const host = settings.user === undefined ? settings.host : `${settings.user}@${settings.host}`
  const connection = { program, args: sftpArguments(settings), env: ownEnvironment() }
  const client = await caughtLater(isNodeError, () => SftpClient.connect(connection, host), (error) => {
    throw error.code === 'ENOENT' ? notInstalled('mkfifo') : error
  })
  try {
    const root = rootAt(client, settings.cwd)
    const known: KnownFiles = new Map()
    return {
      host, root, probe: remoteProbe(client, root),
      get isBroken() {
        return client.isBroken
      },
      files: (options) => new RemoteFiles(client, known, options),
      forgetFiles: () => known.clear(),
      end: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

function rootAt(client: SftpClient, cwd: string | undefined): string {
  const shown = cwd ?? 'the directory after login'
  try {
    const root = client.realpath(cwd ?? '.')
    if (((client.lstat(root)?.mode ?? 0) & 0o170000) === 0o040000) return root
  } catch (error) {
    if (!(error instanceof SftpStatus)) throw error
  }
  throw new HermesError('INVALID_OPTION', `On ${client.host} ${shown} is no directory`, {
    hint: 'Ask the user to make it there, or to set terminal.cwd (or TERMINAL_SSH_CWD) to one: absolute, or below the '
      + 'directory after login.',
  })
}

function notInstalled(name: string): HermesError {
  return new HermesError('NOT_INSTALLED', `terminal.backend is ssh, and ${name} is not installed`, {
    hint: `Ask the user to install ${name}, or to set terminal.backend to local.`,
  })
}
