import { StepWords } from '@/components/app/step-words'
import { stepsIn, stepsLine } from '@/lib/events/tool-step'

/** The steps among parts of messages, on one line. */
export default function StepsLine({ parts }: { parts: readonly unknown[] }) {
  return <StepWords line={stepsLine(stepsIn({ parts }))} />
}
