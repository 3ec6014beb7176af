import { closeSync, openSync } from 'node:fs'
import { listenInside, type ProgramStart } from '../../../2-processes/src/index.js'
import { HostProxy } from './host-proxy.js'
import { PROXY_PORT } from './proxy-environment.js'

/** What starts a program in a network namespace; the program and its arguments follow. */
export type NamespaceStart = Pick<ProgramStart, 'program' | 'args'>

/**
 * A network namespace with nothing but its loopback, on which the proxy of named hosts listens. Hermes keeps it by its
 * files; commands are started in it.
 */
export class HostNetwork {
  private constructor(readonly proxy: HostProxy, private readonly descriptors: readonly number[]) {}

  /** @throws Node's error, or one that says why there can be none */
  static async open(hosts: readonly string[], start: NamespaceStart): Promise<HostNetwork> {
    const { server, pid, release } = await listenInside(start, PROXY_PORT)
    const descriptors = ['user', 'net'].map(kind => openSync(`/proc/${pid}/ns/${kind}`, 'r'))
    await release()
    return new HostNetwork(new HostProxy(hosts, server), descriptors)
  }

  /** What starts a program in it: arguments of `nsenter`, before the program. */
  get entry(): string[] {
    const [user, net] = this.descriptors
    const of = (descriptor: number | undefined) => `/proc/${process.pid}/fd/${descriptor}`
    return ['--preserve-credentials', `--user=${of(user)}`, `--net=${of(net)}`, '--no-fork', '--']
  }

  /** Nothing in it reaches anything any more. */
  close(): void {
    this.proxy.close()
    for (const descriptor of this.descriptors) closeSync(descriptor)
  }
}
