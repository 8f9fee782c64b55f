/** A conversation as a script: branches and checkpoints name its messages by key. */
interface SampleScript {
  title: string
  opensOn: string
  branches: SampleBranch[]
  /** replies to one message that were asked for at once */
  together: string[]
  checkpoints: { name: string; at: string }[]
}

export interface SampleBranch {
  name: string
  /** the message it forks from; none for the first */
  at?: string
  /** the message its first one is an edit of */
  instead?: string
  /** messages of other branches that it begins with copies of */
  picks?: string[]
  /** another branch that is merged into it after the picks, as a person has reviewed it */
  merges?: { branch: string; base: string; brief: string; quote: string; conflict: SampleConflict }
  /** texts by key; person and model take turns, and the person begins */
  says: Record<string, string>
}

/** A conflict between two branches, by the keys of their messages, and its resolution. */
interface SampleConflict {
  about: string
  source: string
  sourceAt: string
  target: string
  targetAt: string
  instead: string
}

/**
 * The sample conversation: another reply to one question, an edited question, a branch that ends early, a
 * branch that combines the best of the others and ends with three replies side by side, and checkpoints.
 */
export const lisbon: SampleScript = {
  title: 'Three days in Lisbon',
  opensOn: 'Gentle pace',
  branches: [
    {
      name: 'main',
      says: {
        'first-question': 'We have three days in Lisbon in May. What should we not miss?',
        overview:
          'Three days is a good length. In May it is warm, bright and not yet crowded.\n\n- **Alfama and the castle** for the old town and the views\n- **Belém** for the tower, the monastery and the *pastéis*\n- **A day out**: Sintra for palaces, or Cascais for the sea\n- **One evening of fado**, in a small place rather than a show\n\nShall I plan day one?',
        'plan-day-one': 'Yes, plan day one. We like walking, but one of us has a bad knee.',
        'steep-plan':
          '1. **Morning**: climb to the castle through Alfama, about 300 steps\n2. **Noon**: lunch at Largo das Portas do Sol\n3. **Afternoon**: down to the river and up again to Bairro Alto\n4. **Evening**: sunset at Miradouro da Graça',
        'too-many-stairs': 'That is a lot of stairs for a bad knee.',
        apology:
          'You are right, I did not take the knee seriously. Go back to your question and try the answer again: the other branch has a day without climbing.',
      },
    },
    {
      name: 'Gentle pace',
      at: 'plan-day-one',
      says: {
        'gentle-plan':
          'A day with hardly a stair in it:\n\n| When | What | How |\n|---|---|---|\n| 9:30 | Castle and Alfama | tram 28 up, walk *down* |\n| 12:30 | Lunch by the cathedral | flat, 5 minutes |\n| 14:30 | Riverside to Cais do Sodré | level promenade |\n| 18:00 | Santa Justa lift, Carmo ruins | lift both ways |\n\nThe rule of the day: ride up, walk down.',
        dinner: 'Perfect. Where do we have dinner?',
        'dinner-fish':
          'Around Cais do Sodré, in this order:\n\n1. a *tasca* with grilled sardines, loud and good\n2. the market hall, if you cannot agree\n3. a quiet seafood place by the water, booked ahead',
        'day-two': 'Day two: Sintra or the beach?',
        sintra:
          'Sintra, on a weekday. Take the first train, see **Pena** before ten and the gardens of **Regaleira** after lunch. The shuttle bus saves the knee the hill.',
        tickets: 'Do we need tickets in advance?',
        'tickets-answer':
          'For Pena yes: entry is by the half hour and mornings sell out days ahead. Everything else can be bought there.',
      },
    },
    {
      name: 'Beach day',
      at: 'day-two',
      says: {
        beach:
          'The beach, if the forecast is kind. Forty minutes by train to **Cascais**, then the flat path along the sea to *Boca do Inferno*. Easier on the knee than Sintra, and you can swim.',
        pack: 'What should we pack for that?',
        'pack-answer':
          'Little: swimwear, a towel, sunscreen, a light jacket for the wind after five, and the travel card, which is valid on the train too.',
      },
    },
    {
      name: 'Vegetarian',
      at: 'gentle-plan',
      instead: 'dinner',
      says: {
        'dinner-vegetarian': 'Perfect. Where do we have dinner? One of us is vegetarian.',
        'dinner-green':
          'Then skip the *tascas*. Three that do it well, all near Chiado:\n\n- a long-standing buffet with a garden\n- a small plates kitchen, half of the card green\n- an Indian and Goan place, which is a Lisbon speciality of its own',
        book: 'Which one needs a booking?',
        'book-answer': 'The small plates one: a day ahead in May, two for a window table.',
      },
    },
    {
      name: 'Porto instead',
      at: 'overview',
      says: {
        porto: 'Thinking about it again: would Porto be better for three days?',
        'porto-answer':
          'Porto is smaller and fits three days well, but it is steeper than Lisbon and cooler in May. With a bad knee I would stay with Lisbon.',
        train: 'And how long is the train, in case?',
        'train-answer': 'Just under three hours, several times a day.',
      },
    },
    {
      name: 'The whole plan',
      at: 'tickets-answer',
      picks: ['dinner-vegetarian', 'dinner-green'],
      merges: {
        branch: 'Beach day',
        base: 'day-two',
        brief:
          '**Decided**\n\n- Cascais by train, forty minutes, if the forecast is kind\n- The flat path along the sea to Boca do Inferno: easier on the knee than Sintra\n\n**To bring**\n\n- Swimwear, a towel, sunscreen, a light jacket for the wind after five\n- The travel card, which is valid on the train too',
        quote: 'beach',
        conflict: {
          about: 'Day two',
          source: 'The beach at Cascais',
          sourceAt: 'beach',
          target: 'Sintra, on a weekday',
          targetAt: 'sintra',
          instead: 'Sintra on day two, Cascais on day three',
        },
      },
      says: {
        'whole-plan': 'Now put it all together, in one line a day.',
        'whole-plan-answer':
          '1. **Day one**: tram up to the castle, walk down, dinner at the buffet with the garden\n2. **Day two**: first train to Sintra, Pena before ten with tickets booked ahead\n3. **Day three**: Cascais and the flat path by the sea, swimwear in the bag',
        'trip-name': 'Give the trip a name, for the album.',
        'name-plain': '**Ride up, walk down.** Three days in Lisbon, hardly a stair.',
      },
    },
    {
      name: 'Name of the sea',
      at: 'trip-name',
      says: { 'name-sea': '**Seven hills and a beach.** It ends with your feet in the water.' },
    },
    {
      name: 'Name of the knee',
      at: 'trip-name',
      says: { 'name-knee': '**Lisbon on one good knee.** Everybody who was there will laugh.' },
    },
  ],
  together: ['name-plain', 'name-sea', 'name-knee'],
  checkpoints: [
    { name: 'day one settled', at: 'gentle-plan' },
    { name: 'before deciding on day two', at: 'day-two' },
  ],
}
