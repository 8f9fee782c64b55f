/** A conversation as a script: branches and checkpoints name its messages by key. */
interface SampleScript {
  title: string
  opensOn: string
  branches: SampleBranch[]
  checkpoints: { name: string; at: string }[]
}

interface SampleBranch {
  name: string
  /** the message it forks from; none for the first */
  at?: string
  /** the message its first one is an edit of */
  instead?: string
  /** texts by key; person and model take turns, and the person begins */
  says: Record<string, string>
}

/**
 * The sample conversation: another reply to one question, an edited question, a branch that ends early, and checkpoints.
 */
export const lisbon: SampleScript = {
  title: 'Three days in Lisbon',
  opensOn: 'gentle-pace',
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
      name: 'gentle-pace',
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
      name: 'beach-day',
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
      name: 'vegetarian',
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
      name: 'porto-instead',
      at: 'overview',
      says: {
        porto: 'Thinking about it again: would Porto be better for three days?',
        'porto-answer':
          'Porto is smaller and fits three days well, but it is steeper than Lisbon and cooler in May. With a bad knee I would stay with Lisbon.',
        train: 'And how long is the train, in case?',
        'train-answer': 'Just under three hours, several times a day.',
      },
    },
  ],
  checkpoints: [
    { name: 'day one settled', at: 'gentle-plan' },
    { name: 'before deciding on day two', at: 'day-two' },
  ],
}
