import { extendTailwindMerge } from 'tailwind-merge'
import { parseSync } from 'vite'

type Node = { type: string; [key: string]: unknown }

/** Class names that may stand on an element, and the choices they are the outcome of: by expression, the number of the outcome. */
type Classes = { names: readonly string[]; choices: ReadonlyMap<Node, number> }

/** A call of `cn`, and the component around it where that passes on a `className` of its caller. */
type Join = { at: string; component: string | null; classes: Classes[] }

const merge = extendTailwindMerge({ extend: { classGroups: { shadow: ['shadow-float'] } } })

/** Each two class names that one element can have and that set the same thing: CSS chooses by the order of its sheet. */
export function classConflicts(files: ReadonlyMap<string, string>): string[] {
  const modules = [...files].map(([file, source]) => {
    const { program } = parseSync(file, source)
    return { file, source, program: program as unknown as Node }
  })
  const exported = new Map<string, Node>()
  for (const { program } of modules) {
    for (const each of list(program.body)) {
      const declared = nodeAt(each, 'declaration')
      if (declared?.type === 'VariableDeclaration') declare(declared, exported)
    }
  }
  const joins: Join[] = []
  const given = new Map<string, { at: string; classes: Classes[] }[]>()
  for (const { file, source, program } of modules) {
    const constants = declare(program, new Map(exported))
    const at = (node: Node) => `${file}:${source.slice(0, Number(node.start)).split('\n').length}`
    visit(program, (node, component) => {
      if (node.type === 'CallExpression' && nodeAt(node, 'callee')?.name === 'cn') {
        const classes = list(node.arguments).flatMap((each) => classesOf(each, constants))
        const passes = classes.some(({ names }) => names.includes('className'))
        joins.push({ at: at(node), component: passes ? component : null, classes })
      }
      const tag = nodeAt(node, 'name')?.name
      if (node.type !== 'JSXOpeningElement' || typeof tag !== 'string') return
      for (const each of list(node.attributes)) {
        const value = nodeAt(each, 'value')
        if (nodeAt(each, 'name')?.name !== 'className' || !value) continue
        const all = given.get(tag) ?? []
        given.set(tag, [...all, { at: at(node), classes: classesOf(value, constants) }])
      }
    })
  }
  return joins.flatMap(({ at, component, classes }) => [
    ...conflictsOf(classes).map((pair) => `${at}: ${pair}`),
    ...(component === null ? [] : (given.get(component) ?? [])).flatMap((caller) =>
      conflictsOf([...classes, ...caller.classes]).map((pair) => `${caller.at}: ${pair}`),
    ),
  ])
}

/** Adds the constants that are declared in a node. */
function declare(within: Node, constants: Map<string, Node>): Map<string, Node> {
  visit(within, (node) => {
    const [name, value] = [nodeAt(node, 'id')?.name, nodeAt(node, 'init')]
    if (node.type === 'VariableDeclarator' && typeof name === 'string' && value) constants.set(name, value)
  })
  return constants
}

function conflictsOf(classes: readonly Classes[]): string[] {
  const all = classes.flatMap(({ names, choices }) => names.map((name) => ({ name, choices })))
  return all.flatMap((one, at) =>
    all
      .slice(at + 1)
      .filter((other) => other.name !== one.name && canMeet(one.choices, other.choices))
      .map((other) => `${one.name} ${other.name}`)
      .filter(isConflict),
  )
}

const known = new Map<string, boolean>()
function isConflict(pair: string): boolean {
  const conflict = known.get(pair) ?? merge(pair) !== pair
  known.set(pair, conflict)
  return conflict
}

const canMeet = (one: Classes['choices'], other: Classes['choices']): boolean =>
  [...one].every(([choice, outcome]) => (other.get(choice) ?? outcome) === outcome)

/** The class names that an expression can be. */
function classesOf(
  node: Node,
  constants: ReadonlyMap<string, Node>,
  choices: Classes['choices'] = new Map(),
): Classes[] {
  const inside = (next: Node | null, taken = choices) => (next ? classesOf(next, constants, taken) : [])
  const words = (text: unknown): Classes[] => [{ names: String(text).split(/\s+/).filter(Boolean), choices }]
  if (node.type === 'Literal') return typeof node.value === 'string' ? words(node.value) : []
  if (node.type === 'TemplateElement') return words((node.value as { cooked: string }).cooked)
  if (node.type === 'LogicalExpression') return inside(nodeAt(node, 'right'))
  if (node.type === 'ConditionalExpression') {
    return (['consequent', 'alternate'] as const).flatMap((key, outcome) =>
      inside(nodeAt(node, key), new Map(choices).set(node, outcome)),
    )
  }
  if (node.type === 'Identifier') {
    const value = constants.get(String(node.name))
    if (!value) return words(node.name)
    return value.type === 'ArrowFunctionExpression' ? [] : inside(value)
  }
  if (node.type === 'MemberExpression') {
    const record = constants.get(String(nodeAt(node, 'object')?.name))
    return list(record?.properties).flatMap((each, outcome) =>
      inside(nodeAt(each, 'value'), new Map(choices).set(node, outcome)),
    )
  }
  if (node.type === 'CallExpression') return list(node.arguments).flatMap((each) => inside(each))
  return children(node).flatMap((each) => inside(each))
}

/** Calls `see` with each node and the name of the function around it. */
function visit(
  node: Node,
  see: (node: Node, inside: string | null) => void,
  inside: string | null = null,
): void {
  const name = node.type === 'FunctionDeclaration' ? nodeAt(node, 'id')?.name : undefined
  const component = typeof name === 'string' ? name : inside
  see(node, component)
  for (const each of children(node)) visit(each, see, component)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const nodeAt = (node: Node, key: string): Node | null => (isNode(node[key]) ? node[key] : null)
const children = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (isNode(value) ? [value] : list(value)))
