import { anyCase, C_COMMENT, lines, NAME } from './pattern-kit.js'

/** Patterns of languages that describe data, interfaces, circuits or builds. */
export const DESCRIPTIONS = {
  sql: {
    lines: [...anyCase('class', '\\s*create\\s+(?:or\\s+replace\\s+)?(?:temp(?:orary)?\\s+|unlogged\\s+|global\\s+'
      + '|materialized\\s+|virtual\\s+)*(?:table|view|type|schema|domain|package(?:\\s+body)?)\\s+(?:if\\s+not\\s+'
        + 'exists\\s+)?(?:["`\\[]?(?<container>\\w+)["`\\]]?\\.)?["`\\[]?(?<name>\\w+)'),
      ...anyCase('function', '\\s*create\\s+(?:or\\s+replace\\s+)?(?:definer\\s*=\\s*\\S+\\s+)?(?:function|procedure'
        + '|trigger|aggregate)\\s+(?:if\\s+not\\s+exists\\s+)?(?:["`\\[]?(?<container>\\w+)["`\\]]?\\.)'
          + '?["`\\[]?(?<name>\\w+)'),
      ...anyCase('variable', '\\s*create\\s+(?:unique\\s+)?(?:index|sequence)\\s+(?:concurrently\\s+)?(?:if\\s+'
        + 'not\\s+exists\\s+)?(?:["`\\[]?(?<container>\\w+)["`\\]]?\\.)?["`\\[]?(?<name>\\w+)')],
    comment: ['--'], block: [['/*', '*/']], ignoreCase: true,
  },
  terraform: {
    lines: [...lines('class', '(?:resource|data)\\s+"(?<container>[\\w-]+)"\\s+"(?<name>[\\w-]+)"',
      '(?:module|provider)\\s+"(?<name>[\\w-]+)"'),
      ...lines('variable', '(?:variable|output)\\s+"(?<name>[\\w-]+)"')],
    comment: ['#', '//'], block: [['/*', '*/']], inNames: '-',
  },
  protobuf: {
    lines: [...lines('class', `\\s*(?:message|enum|service|extend|oneof)\\s+(?<name>[\\w.]+)`), ...lines('method',
      `\\s*rpc\\s+${NAME}`),
      ...lines('variable', `\\s+(?:repeated\\s+|optional\\s+|required\\s+)?(?:map\\s*<[^>]*>|[\\w.]+)\\s+${NAME}\\s*`
        + `=\\s*\\d+`)],
    ...C_COMMENT,
  },
  thrift: {
    lines: [...lines('class', `\\s*(?:struct|union|exception|enum|service|typedef\\s+[\\w<>, ]+)\\s+${NAME}`),
      ...lines('method', `\\s+(?:oneway\\s+)?[\\w<>, .]+\\s+${NAME}\\s*\\(`), ...lines('variable',
        `const\\s+\\S+\\s+${NAME}`)],
    comment: ['//', '#'], block: [['/*', '*/']],
  },
  graphql: {
    lines: [...lines('class', `\\s*(?:extend\\s+)?(?:type|interface|input|enum|union|scalar)\\s+${NAME}`),
      ...lines('function', `\\s*(?:query|mutation|subscription|fragment)\\s+${NAME}`, `\\s*directive\\s+@${NAME}`),
      ...lines('variable', `\\s+${NAME}\\s*(?:\\([^)]*\\))?\\s*:\\s*[\\[\\w]`)],
    comment: ['#'], block: [['"""', '"""']],
  },
  solidity: {
    lines: [...lines('class', `\\s*(?:abstract\\s+)?(?:contract|interface|library|struct|enum)\\s+${NAME}`),
      ...lines('method', `\\s*(?:function|modifier|event|error)\\s+${NAME}`, `\\s*(?<name>constructor)\\s*\\(`)],
    ...C_COMMENT,
  },
  verilog: {
    lines: [...lines('class', `\\s*(?:module|macromodule|interface|package|program|class|virtual\\s+class|primitive)`
      + `\\s+(?:automatic\\s+|static\\s+)?${NAME}`),
      ...lines('function', `\\s*(?:virtual\\s+|static\\s+|extern\\s+|pure\\s+)*(?:function|task)\\b(?:[^(;]*`
        + `[\\s:\\]])??${NAME}\\s*[(;]`),
      ...lines('variable', `\\s*\`define\\s+${NAME}`, `\\s*(?:parameter|localparam)\\b[^=]*?${NAME}\\s*=`)],
    ...C_COMMENT,
  },
  vhdl: {
    lines: [...anyCase('class', `\\s*(?:entity|package(?:\\s+body)?|component|configuration|context)\\s+(?!is\\b)`
      + `${NAME}`,
      `\\s*architecture\\s+${NAME}`, `\\s*(?:type|subtype)\\s+${NAME}`),
    ...anyCase('function', `\\s*(?:pure\\s+|impure\\s+)?(?:function|procedure)\\s+${NAME}`), ...anyCase('variable',
      `\\s*(?:constant|signal)\\s+${NAME}`)],
    comment: ['--'], ignoreCase: true,
  },
  make: {
    lines: [...lines('function', '(?<name>[\\w./%-]+)(?:\\s+[\\w./%-]+)*\\s*::?(?!=)', 'define\\s+(?<name>\\S+)'),
      ...lines('variable', '(?:export\\s+|override\\s+)*(?<name>[\\w.-]+)\\s*(?:[:?+!]?|::)=')],
    comment: ['#'], inNames: '-',
  },
  cmake: {
    lines: [...anyCase('function', '\\s*(?:function|macro)\\s*\\(\\s*(?<name>\\w+)'),
      ...anyCase('class', '\\s*(?:add_library|add_executable|add_custom_target|project)\\s*\\(\\s*(?<name>[\\w.-]+)'),
      ...anyCase('variable', '\\s*(?:set|option)\\s*\\(\\s*(?<name>\\w+)')],
    comment: ['#'], block: [['#[[', ']]']],
  },
  dockerfile: {
    lines: [...anyCase('class', 'from\\s+.*\\bas\\s+(?<name>[\\w.-]+)'), ...anyCase('variable',
      '(?:arg|env)\\s+(?<name>\\w+)')],
    comment: ['#'], ignoreCase: true,
  },
  nix: {
    lines: [...lines('function',
      "\\s*(?<name>[\\p{L}_][\\w'-]*)\\s*=\\s*(?:[\\w'-]+|\\{[^}]*\\}?)\\s*(?:@\\s*\\w+\\s*)?:(?!/)"),
        ...lines('variable', "\\s*(?<name>[\\p{L}_][\\w'.-]*)\\s*=(?!=)")],
    comment: ['#'], block: [['/*', '*/']], inNames: "-'",
  },
} as const
