import { randomBytes } from 'node:crypto'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'
import { processMark, run, start, type StartedProgram } from '../../../2-processes/src/index.js'
import type { ContainerEngine, ContainerExec, ContainerStart, EngineName } from './container-engines.js'
import { endCommand } from './end-in-container.js'

/** How long an engine may take to answer a question, in milliseconds, and to end a container. */
const ASKED_MS = 30_000
/** How long what a command left running may take to end, in milliseconds. */
const END_MS = 15_000
/** Its first process, and the one that does nothing. */
const OWN_PROCESSES = 2
/** Waits for the end of its input, which comes with that of hermes, whatever that is: then it ends the container. */
const WATCHDOG = 'read -r x; [ "$x" = done ] || exec "$@"'

/** A client of containers, and how it is asked. */
export interface EngineClient {
  name: EngineName
  engine: ContainerEngine
  env: () => Readonly<Record<string, string>>
}

/** A container that lives as long as its task, at most as hermes. */
export class TaskContainer {
  #isEnded = false

  private constructor(
    private readonly client: EngineClient, readonly name: string, private readonly watchdog: StartedProgram | undefined,
  ) {}

  /** @throws HermesError `NOT_INSTALLED` where the engine makes none, with what it says */
  static async start(
    verb: string, given: EngineClient, call: Omit<ContainerStart, 'name' | 'owner'>,
  ): Promise<TaskContainer> {
    // All that follows asks the same engine, whatever the environment says by then.
    const env = given.env()
    const client = { ...given, env: () => env }
    const owner = processMark()
    const name = `hermes-${owner}-${randomBytes(6).toString('hex')}`
    // Before there is one: hermes may be killed meanwhile.
    const container = new TaskContainer(client, name, await watchdogOf(client, name))
    const { exitCode, stderr, stopped } = await run({
      program: client.name, args: client.engine.start({ ...call, name, owner }), env: client.env(), cwd: '/',
      endsWithHermes: true,
    })
    if (exitCode === 0) return container
    await container.end()
    const said = stderr.toString('utf8').trim().split('\n').findLast(line => !/^(?:See|Run) '/.test(line)) ?? ''
    throw new HermesError('NOT_INSTALLED', `${verb}: ${client.name} made no container of the image '${call.image}': `
      + (stopped === undefined ? said.slice(0, 300) || `exit code ${exitCode}` : `it took too long (${stopped})`), {
      hint: `Ask the user to look at it: terminal.${client.name}_image in ${shownOwnFile()} names the image, and `
        + `${client.name} has to run here. Files can be read and written all the same.`,
    })
  }

  /** The environment of the client that started it. */
  get env(): Readonly<Record<string, string>> {
    return this.client.env()
  }

  /** Arguments of the client that run a command in it. */
  exec(call: Omit<ContainerExec, 'name'>): string[] {
    return this.client.engine.exec({ ...call, name: this.name })
  }

  async isUp(): Promise<boolean> {
    if (this.#isEnded) return false
    const printed = await asked(this.client, this.client.engine.state(this.name))
    return printed !== undefined && this.client.engine.isUp(printed, this.name)
  }

  /** Whether nothing runs in it. False where that cannot be told. */
  async isQuiet(): Promise<boolean> {
    const args = this.client.engine.processes?.(this.name)
    const printed = args && await asked(this.client, args)
    return printed !== undefined && printed.trim().split('\n').length - 1 <= OWN_PROCESSES
  }

  /** Ends what a command has started in it; where that cannot be done, the whole container. */
  async endCommand(mark: string): Promise<void> {
    const { env, command } = endCommand(this.name, mark)
    const printed = await asked(this.client, this.exec({ cwd: '/', env, command }), END_MS)
    if (printed === undefined) await this.end()
  }

  /** Ends it with all that runs in it, and waits for that. */
  async end(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    // Where that fails the watchdog tries it once more.
    const isGone = await asked(this.client, this.client.engine.end(this.name)) !== undefined
    const watchdog = this.watchdog
    if (watchdog === undefined || watchdog.exit !== undefined) return
    if (isGone) watchdog.input.end('done\n')
    else watchdog.input.end()
  }
}

/** What is printed; `undefined` where it fails. */
async function asked(
  client: EngineClient, args: readonly string[], timeoutMs = ASKED_MS,
): Promise<string | undefined> {
  return caughtLater(isNodeError, async () => {
    const { exitCode, stdout } = await run({ program: client.name, args, env: client.env(), cwd: '/', timeoutMs })
    return exitCode === 0 ? stdout.toString('utf8') : undefined
  }, () => undefined)
}

/** `undefined` where there is no shell for it: then the next hermes ends what this one leaves. */
async function watchdogOf(client: EngineClient, name: string): Promise<StartedProgram | undefined> {
  const { name: program, engine, env } = client
  return await caughtLater(isNodeError, () => start({
    program: '/bin/sh', args: ['-c', WATCHDOG, 'sh', program, ...engine.end(name)], cwd: '/', env: env(),
    stdio: ['pipe', 'ignore', 'ignore'], outlivesHermes: true,
  }), () => undefined)
}

/** Whether root in a container is the user outside. */
export async function isRootless(client: EngineClient): Promise<boolean> {
  const { rootless } = client.engine
  const printed = rootless && await asked(client, rootless.args)
  return printed !== undefined && rootless?.says.test(printed) === true
}

/**
 * Ends the containers of a hermes of this machine that is gone for certain.
 *
 * @param isGone whether the process of a mark is
 */
export async function sweepContainers(client: EngineClient, isGone: (owner: string) => boolean): Promise<void> {
  const printed = await asked(client, client.engine.list())
  const left = client.engine.owned(printed ?? '').filter(({ owner }) => isGone(owner))
  await Promise.all(left.map(async ({ name }) => asked(client, client.engine.end(name))))
}
