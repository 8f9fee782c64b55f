import { describe, expect, it } from 'vitest'
import { type ContextFragment, fragment, hint, role } from '@/lib/context/fragments'
import { XmlRenderer } from '@/lib/context/renderers'

describe('groupFragments', () => {
  const grouped = (...fragments: ContextFragment[]) =>
    new XmlRenderer({ groupFragments: true }).render(fragments)

  it('puts siblings of one name under one plural parent, at the place of the first', () => {
    expect(grouped(hint('a'), role('r'), hint('b'))).toBe(
      '<hints>\n  <hint>a</hint>\n  <hint>b</hint>\n</hints>\n<roles>\n  <role>r</role>\n</roles>',
    )
  })

  it('adds no parent where there is one already', () => {
    const nested = fragment('hints', hint('a'), hint('b'))
    expect(grouped(nested)).toBe(new XmlRenderer().render([nested]))
  })

  it('groups nested fragments too, and no keys of objects', () => {
    expect(grouped(fragment('constraints', hint('a')), { name: 'notes', data: { hint: 'key' } })).toBe(
      '<constraints>\n  <hints>\n    <hint>a</hint>\n  </hints>\n</constraints>\n<notes>\n  <hint>key</hint>\n</notes>',
    )
  })
})
