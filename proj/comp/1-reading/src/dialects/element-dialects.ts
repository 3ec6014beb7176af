import type { Dialect, ElementsForm, ToolListing } from './dialect.js'

const NAME = String.raw`(?<name>[\w.:-]{1,200})`

/** `<function=NAME><parameter=KEY>value</parameter></function>` */
const FUNCTION: ElementsForm = {
  kind: 'elements', opens: '<function=',
  head: new RegExp(String.raw`<function=${NAME}>\s*(?=[^\s{])`, 'y'),
  fieldOpens: /<parameter=/y, field: /<parameter=(?<key>[^>\s]{1,200})>/y, fieldClose: '</parameter>',
  close: '</function>', isPadded: true,
}

/** `<invoke name="NAME"><parameter name="KEY">value</parameter></invoke>`, with a prefix before each element name. */
function invoke(prefix: string, isPadded: boolean, attributes = ''): ElementsForm {
  return {
    kind: 'elements', opens: `<${prefix}invoke name=`,
    head: new RegExp(String.raw`<${prefix}invoke name="${NAME}"[ \t]*>\s*(?=\S)`, 'y'),
    fieldOpens: new RegExp(`<${prefix}parameter`, 'y'),
    field: new RegExp(String.raw`<${prefix}parameter name="(?<key>[^"]{1,200})"${attributes}[ \t]*>`, 'y'),
    fieldClose: `</${prefix}parameter>`, close: `</${prefix}invoke>`, isPadded,
  }
}

function around(name: string) {
  return { open: `<${name}>`, close: `</${name}>` }
}

/** How the templates of Hermes, Qwen3-Coder and GLM list tools. */
export const TOOLS_IN_TAGS: ToolListing = { open: '<tools>\n', each: '%tool', between: '\n', close: '\n</tools>' }
const FUNCTION_SHAPE = '<function=NAME>\\n<parameter=KEY>\\nvalue\\n</parameter>\\n</function>'
const INVOKE_SHAPE = '<invoke name="NAME"><parameter name="KEY">value</parameter></invoke>'
/** The prefix in Anthropic's own system prompts. */
const PREFIX = ['ant', 'ml:'].join('')

/** Dialects whose values are raw text between tags. */
export const ELEMENT_DIALECTS: readonly Dialect[] = [
  {
    name: 'qwen3-coder', title: 'Qwen3-Coder', wrappers: [around('tool_call')],
    forms: [
      FUNCTION,
      {
        kind: 'json', opens: '<function=', head: new RegExp(String.raw`<function=${NAME}>\s*(?=\{)`, 'y'),
        closes: ['</function>'],
      },
    ],
    shape: FUNCTION_SHAPE,
    writing: {
      call: '<tool_call>\n<function=%name>\n%fields</function>\n</tool_call>',
      field: '<parameter=%key>\n%value\n</parameter>\n',
      tools: {
        ...TOOLS_IN_TAGS,
        each: '<function>\n<name>%name</name>\n<description>%description</description>\n<parameters>\n'
          + '%parameters</parameters>\n</function>',
        parameter: '<parameter>\n<name>%key</name>\n<type>%type</type>\n<description>%description</description>\n'
          + '</parameter>\n',
      },
    },
    source: 'Qwen3-Coder: chat template and qwen3coder_tool_parser; OpenHands and SWE-agent without the wrapper; '
      + 'Nemotron 3; Llama 3.1 with JSON in it',
  },
  {
    name: 'glm', title: 'GLM', wrappers: [],
    forms: [{
      kind: 'elements', opens: '<tool_call>',
      head: new RegExp(String.raw`<tool_call>\s*${NAME}\s*(?=<)`, 'y'),
      fieldOpens: /<arg_key>/y, field: /<arg_key>[ \t]*(?<key>[^<]{1,200}?)[ \t]*<\/arg_key>\s*<arg_value>/y,
      spansLines: true, fieldClose: '</arg_value>', close: '</tool_call>', isPadded: false,
    }],
    writing: {
      call: '<tool_call>%name\n%fields</tool_call>',
      field: '<arg_key>%key</arg_key>\n<arg_value>%value</arg_value>\n', tools: TOOLS_IN_TAGS,
    },
    shape: '<tool_call>NAME\\n<arg_key>KEY</arg_key>\\n<arg_value>value</arg_value>\\n</tool_call>',
    source: 'GLM-4.5 to 4.7: chat template',
  },
  {
    name: 'minimax-m2', title: 'MiniMax M2', wrappers: [around('minimax:tool_call')], forms: [invoke('', true)],
    shape: `<minimax:tool_call>${INVOKE_SHAPE}</minimax:tool_call>`, source: 'MiniMax-M2: tool calling guide',
  },
  {
    name: 'anthropic', title: 'Anthropic', wrappers: [around('function_calls'), around(`${PREFIX}function_calls`)],
    forms: [invoke('', false), invoke(PREFIX, false)], shape: `<function_calls>${INVOKE_SHAPE}</function_calls>`,
    writing: {
      call: '<function_calls>\n<invoke name="%name">\n%fields</invoke>\n</function_calls>',
      field: '<parameter name="%key">%value</parameter>\n',
      tools: {
        open: '<functions>\n', each: '<function>%tool</function>', between: '\n', close: '\n</functions>',
      },
    },
    source: "Anthropic's legacy tool use guide",
  },
  {
    name: 'deepseek-v3.2', title: 'DeepSeek V3.2', wrappers: [around('｜DSML｜function_calls')],
    forms: [invoke('｜DSML｜', false, '(?:[ \\t]+string="(?:true|(?<json>false))")?')],
    shape: '<｜DSML｜function_calls><｜DSML｜invoke name="NAME"><｜DSML｜parameter name="KEY" string="true">value…',
    source: 'DeepSeek-V3.2: encoding_dsv32.py',
  },
  {
    name: 'seed-oss', title: 'Seed-OSS', wrappers: [around('seed:tool_call')], forms: [FUNCTION],
    shape: `<seed:tool_call>${FUNCTION_SHAPE}</seed:tool_call>`, source: 'Seed-OSS-36B-Instruct: chat template',
  },
]
