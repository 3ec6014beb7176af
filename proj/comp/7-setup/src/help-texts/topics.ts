/** A page of the package's docs/, for `hermes help TOPIC`. */
export interface Topic {
  name: string
  /** One line for the list of topics. */
  title: string
  /** Relative to the package's directory. */
  page: string
}

/** Related topics; the list of commands is grouped in the same way. */
export interface TopicGroup {
  title: string
  topics: readonly Topic[]
}

export const TOPIC_GROUPS: readonly TopicGroup[] = [
  {
    title: 'Run what a model answers',
    topics: [
      { name: 'getting-started', title: 'The first run', page: 'docs/getting-started.md' },
      { name: 'formats', title: 'How blocks are written', page: 'docs/formats.md' },
      { name: 'verbs', title: 'What blocks can call', page: 'docs/verbs.md' },
      { name: 'dialects', title: 'What models and harnesses write, and what becomes of it', page: 'docs/dialects.md' },
      { name: 'mappings', title: 'Calls of tools of other harnesses', page: 'docs/mappings.md' },
      { name: 'watch', title: 'Answers that come into a file or a folder', page: 'docs/watch.md' },
      { name: 'interactive', title: 'A prompt for answers and envelopes', page: 'docs/interactive.md' },
    ],
  },
  {
    title: 'Look before it runs, and after',
    topics: [
      { name: 'review', title: 'Look before it runs, in the browser', page: 'docs/review.md' },
      { name: 'plans', title: 'Look first, then do exactly that', page: 'docs/plans.md' },
      { name: 'reports', title: 'What is kept of a run', page: 'docs/reports.md' },
    ],
  },
  {
    title: 'Take it back',
    topics: [
      { name: 'undo', title: 'Taking it back', page: 'docs/undo.md' },
    ],
  },
  {
    title: 'Say what may be done',
    topics: [
      { name: 'policy', title: 'What runs may do', page: 'docs/policy.md' },
      { name: 'approvals', title: 'What is asked, and who answers', page: 'docs/approvals.md' },
      { name: 'sandbox', title: 'What holds commands', page: 'docs/sandbox.md' },
      { name: 'hooks', title: 'Formatter, linter and tests around a run', page: 'docs/hooks.md' },
      { name: 'security', title: 'What is defended, and what is not', page: 'docs/SECURITY.md' },
    ],
  },
  {
    title: 'Test',
    topics: [
      { name: 'replay', title: 'Recorded conversations as tests', page: 'docs/replay.md' },
      { name: 'ci', title: 'hermes in continuous integration', page: 'docs/ci.md' },
      { name: 'scale', title: 'Replay on many machines', page: 'docs/scale.md' },
    ],
  },
  {
    title: 'Let a model work',
    topics: [
      { name: 'chat', title: 'Talking to a model that works', page: 'docs/chat.md' },
      { name: 'batch', title: 'Many prompts at once', page: 'docs/batch.md' },
      { name: 'cron', title: 'Scheduled jobs', page: 'docs/cron.md' },
      { name: 'gateway', title: 'Messages to the agent', page: 'docs/gateway.md' },
      { name: 'terminal', title: 'Shells that stay, on a terminal', page: 'docs/terminal.md' },
      { name: 'skills', title: 'Documents that tell models how', page: 'docs/skills.md' },
    ],
  },
  {
    title: 'Build with it, serve and extend',
    topics: [
      { name: 'library', title: 'hermes in a program of your own', page: 'docs/library.md' },
      { name: 'embedding', title: 'hermes in a harness of your own', page: 'docs/embedding.md' },
      { name: 'agent', title: 'The agent, and how it goes on when something breaks', page: 'docs/agent.md' },
      { name: 'writing-a-verb', title: 'Verbs of your own', page: 'docs/writing-a-verb.md' },
      { name: 'extensions', title: 'Programs that work on answers', page: 'docs/extensions.md' },
      { name: 'server', title: 'For editors and other programs', page: 'docs/server.md' },
      { name: 'mcp', title: 'The Model Context Protocol, both ways', page: 'docs/mcp.md' },
      {
        name: 'language-servers', title: 'Definitions, renames and problems by servers',
        page: 'docs/language-servers.md',
      },
      { name: 'acp', title: 'hermes as the agent of an editor', page: 'docs/acp.md' },
    ],
  },
  {
    title: 'Set up, and find out',
    topics: [
      { name: 'setup', title: 'Model, keys and settings of the agent', page: 'docs/setup.md' },
      { name: 'commands', title: 'All commands with their flags', page: 'docs/commands.md' },
      { name: 'codes', title: 'What the codes of failures mean, in short', page: 'docs/codes.md' },
      {
        name: 'troubleshooting', title: 'Why something fails, and the fix of each code',
        page: 'docs/troubleshooting.md',
      },
    ],
  },
]

export const TOPICS: readonly Topic[] = TOPIC_GROUPS.flatMap(({ topics }) => topics)
