import { describe, expect, test } from 'vitest'
import { textWidth, wordsWithin } from './text-width'

// Measured in Chromium at 12 px and medium weight, in Geist Sans with Noto for what it lacks.
const drawn = [
  ['English', 'And the castle: is it worth a morning when one of us is on crutches?', 384],
  ['capitals', 'WHAT SHOULD WE SEE IN LISBON WITH ONE OF US ON CRUTCHES', 383],
  ['Greek', 'Αξίζει να δούμε το παλιό κάστρο το πρωί αν κάποιος έχει πατερίτσες;', 394],
  ['Vietnamese', 'Có nên đi xem lâu đài cổ vào buổi sáng không nếu một người chống nạng?', 415],
  ['Arabic', 'هل يستحق القصر القديم زيارة في الصباح إذا كان أحدنا يمشي على عكازين؟', 368],
  ['Hebrew', 'האם כדאי לבקר בטירה הישנה בבוקר אם אחד מאיתנו הולך עם קביים?', 361],
  ['Chinese', '如果我们当中有一个人拄着拐杖，早上去参观那座古老的城堡值得吗？', 372],
  ['Japanese', '松葉杖の人がいる場合、朝に古い城を見に行く価値はありますか？', 360],
  ['Korean', '우리 중 한 명이 목발을 짚고 있는데 아침에 오래된 성을 보러 갈 만할까요?', 362],
  ['Hindi', 'अगर हममें से कोई बैसाखी पर है तो क्या सुबह पुराना किला देखना ठीक रहेगा?', 326],
  ['Thai', 'ถ้าหนึ่งในพวกเราใช้ไม้ค้ำยันการไปเที่ยวปราสาทเก่าในตอนเช้าคุ้มค่าไหม', 322],
  ['Tamil', 'எங்களில் ஒருவர் ஊன்றுகோலில் இருந்தால் பழைய கோட்டையைப் பார்க்கத் தகுமா', 527],
  ['Malayalam', 'ഞങ്ങളിൽ ഒരാൾ ഊന്നുവടിയിലാണെങ്കിൽ പഴയ കോട്ട കാണേണ്ടതുണ്ടോ', 427],
  ['Armenian', 'Արժե՞ առավոտյան դիտել հին ամրոցը, եթե մեզնից մեկը հենակներով է', 461],
  ['Georgian', 'ღირს თუ არა დილით ძველი ციხის ნახვა, თუ ერთ-ერთი ჩვენგანი ყავარჯნებითაა', 458],
  ['Amharic', 'ከመካከላችን አንዱ በክራንች ላይ ከሆነ የድሮውን ቤተ መንግሥት ማየት ጠቃሚ ነውን', 356],
] as const

describe('the room for words', () => {
  test.each(drawn)('is enough for %s', (_, text, width) => {
    expect(textWidth(text)).toBeGreaterThanOrEqual(width)
  })

  test.each(drawn)('of one line holds the beginning of %s, never half a letter', (_, text) => {
    for (let width = 300; width < 350; width++) {
      const cut = wordsWithin(text, width) ?? ''
      expect(cut).toMatch(/…$/)
      expect(textWidth(cut)).toBeLessThanOrEqual(width)
      const rest = text.slice(cut.length - 1)
      expect(text).toBe(`${cut.slice(0, -1)}${rest}`)
      expect(rest).toMatch(/^\P{M}/u)
    }
  })
})
