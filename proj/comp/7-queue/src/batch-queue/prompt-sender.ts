import { priceOf } from '../../../6-agent/src/index.js'
import { toolsetsOf, type BatchPlan, type BatchPrompt } from '../batch/index.js'
import type { ContentStore } from '../../../2-files/src/index.js'
import { carriedNetwork, carry, requireFixture, TreeSender } from '../jobs/index.js'
import type { WorkspaceSource } from '../../../6-replay/src/index.js'
import { serverName } from './other-server.js'
import type { PromptJob, PromptSettings, PromptText } from './prompt-job.js'

/** Makes jobs of prompts; whatever else they need is put into the store, once. */
export class PromptSender {
  readonly #trees: TreeSender

  /** @param yes whether dangerous commands are approved in advance */
  constructor(private readonly store: ContentStore | undefined, private readonly yes: boolean) {
    this.#trees = new TreeSender(store)
  }

  /**
   * Stores what all prompts share.
   * @throws HermesError for a missing fixture, or one that the store cannot carry
   */
  async prepare({ workspace }: BatchPlan): Promise<void> {
    await this.#workspaceOf(workspace)
  }

  /** @throws HermesError for something that cannot be sent: large without a store */
  async jobOf(prompt: BatchPrompt, plan: BatchPlan): Promise<PromptJob> {
    const { agent: { style = 'native', maxTurns, contextWindow, disabledToolsets, baseURL = '', ...agent } } = plan
    const { sandbox, network, gitCommit, enabledToolsets, systemPrompt } = agent
    const model = prompt.model ?? agent.model
    const toolsets = toolsetsOf(prompt, plan) ?? enabledToolsets
    const said: PromptText = { prompt: prompt.prompt, systemPrompt: prompt.systemPrompt ?? systemPrompt }
    return {
      version: 1, name: prompt.name.slice(0, 256),
      settings: {
        workspace: await this.#workspaceOf(plan.workspace),
        server: serverName(baseURL),
        agent: {
          model, style, maxTurns: prompt.maxTurns ?? maxTurns, contextWindow,
          disabledToolsets: disabledToolsets && [...disabledToolsets], price: priceOf(model, agent),
        },
        execution: {
          toolsets: toolsets && [...toolsets], sandbox, gitCommit, network: carriedNetwork(network),
          yes: this.yes || undefined,
        },
      },
      prompt: await carry(JSON.stringify(said), 'prompt', this.store),
    }
  }

  async #workspaceOf(source: WorkspaceSource): Promise<PromptSettings['workspace']> {
    if (source.kind === 'empty') return { kind: 'empty' }
    if (source.kind === 'git') throw new Error('a repository does not go by a queue')
    await requireFixture(source.directory)
    return { kind: 'tree', content: await this.#trees.send(source.directory) }
  }
}
