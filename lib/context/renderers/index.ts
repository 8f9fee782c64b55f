export {
  ContextRenderer,
  type RendererOptions,
  type RenderNode,
  type RenderScalar,
  type RenderValue,
} from './context-renderer'
export { MarkdownRenderer } from './markdown-renderer'
export { TomlRenderer, ToonRenderer } from './record-renderers'
export { XmlRenderer } from './xml-renderer'
