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

/** The title of each page, by its name. */
const TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Run what a model answers': {
    'getting-started': 'The first run',
    formats: 'How blocks are written',
    verbs: 'What blocks can call',
    dialects: 'What models and harnesses write, and what becomes of it',
    mappings: 'Calls of tools of other harnesses',
    watch: 'Answers that come into a file or a folder',
    interactive: 'A prompt for answers and envelopes',
  },
  'Look before it runs, and after': {
    review: 'Look before it runs, in the browser',
    plans: 'Look first, then do exactly that',
    reports: 'What is kept of a run',
  },
  'Take it back': {
    undo: 'Taking it back',
  },
  'Say what may be done': {
    policy: 'What runs may do',
    approvals: 'What is asked, and who answers',
    sandbox: 'What holds commands',
    hooks: 'Formatter, linter and tests around a run',
    security: 'What is defended, and what is not',
  },
  'Test': {
    replay: 'Recorded conversations as tests',
    ci: 'hermes in continuous integration',
    scale: 'Replay on many machines',
  },
  'Let a model work': {
    chat: 'Talking to a model that works',
    batch: 'Many prompts at once',
    cron: 'Scheduled jobs',
    gateway: 'Messages to the agent',
    terminal: 'Shells that stay, on a terminal',
    skills: 'Documents that tell models how',
  },
  'Build with it, serve and extend': {
    library: 'hermes in a program of your own',
    embedding: 'hermes in a harness of your own',
    agent: 'The agent, and how it goes on when something breaks',
    'writing-a-verb': 'Verbs of your own',
    extensions: 'Programs that work on answers',
    server: 'For editors and other programs',
    mcp: 'The Model Context Protocol, both ways',
    'language-servers': 'Definitions, renames and problems by servers',
    acp: 'hermes as the agent of an editor',
  },
  'Set up, and find out': {
    setup: 'Model, keys and settings of the agent',
    commands: 'All commands with their flags',
    codes: 'What the codes of failures mean, in short',
    troubleshooting: 'Why something fails, and the fix of each code',
  },
}

export const TOPIC_GROUPS: readonly TopicGroup[] = Object.entries(TITLES).map(([title, titles]) => ({
  title,
  // This page alone is called what GitHub looks for.
  topics: Object.entries(titles).map(([name, of]) => (
    { name, title: of, page: `docs/${name === 'security' ? 'SECURITY' : name}.md` })),
}))

export const TOPICS: readonly Topic[] = TOPIC_GROUPS.flatMap(({ topics }) => topics)
