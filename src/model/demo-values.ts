/** An invoice's number, as it is written in the demo: INV-1042. */
export function readNumber(sentence: string): string | undefined {
  const written = /\bINV[-\s]?(\d+)\b/i.exec(sentence)?.[1];
  const bare = /(?:invoice|сч[её]т\S*)\s*(?:#|№|no\.?|number|номер)?\s*(\d{3,})(?!\d)/iu.exec(sentence)?.[1];
  const digits = written ?? bare;
  return digits === undefined ? undefined : `INV-${digits}`;
}

export function readEmail(sentence: string): string | undefined {
  return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(sentence)?.[0];
}

export function readPhone(sentence: string): string | undefined {
  return /\+?\d[\d\s()-]{5,}\d/.exec(sentence)?.[0];
}

/** The last number of a sentence, with its thousands joined: `25,000`, `25 000`, `25k`. */
export function readMoney(sentence: string): number | undefined {
  const found = [...sentence.matchAll(/(?<![\w-])(\d{1,3}(?:[,\s\u00a0']\d{3})+|\d+)(\.\d+)?\s*(k|тыс)?/giu)].at(-1);
  if (found === undefined) return undefined;
  const amount = Number(`${(found[1] ?? "").replace(/\D/g, "")}${found[2] ?? ""}`);
  return found[3] === undefined ? amount : amount * 1_000;
}

/** A day as YYYY-MM-DD: written so, or today, tomorrow, in some days, on a weekday, in English or Russian. */
export function readDate(sentence: string, today: Date = new Date()): string | undefined {
  const written = /\b\d{4}-\d{2}-\d{2}\b/.exec(sentence)?.[0];
  if (written !== undefined) return written;
  const dotted = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/.exec(sentence);
  if (dotted) return `${dotted[3]}-${dotted[2]?.padStart(2, "0")}-${dotted[1]?.padStart(2, "0")}`;
  const days = daysAhead(sentence, today);
  if (days === undefined) return undefined;
  const day = new Date(today);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

const weekdays = [
  /\bsunday\b|воскресень/iu,
  /\bmonday\b|понедельник/iu,
  /\btuesday\b|вторник/iu,
  /\bwednesday\b|сред[уыа](?![а-яё])/iu,
  /\bthursday\b|четверг/iu,
  /\bfriday\b|пятниц/iu,
  /\bsaturday\b|суббот/iu,
];

function daysAhead(sentence: string, today: Date): number | undefined {
  if (/\btoday\b|сегодня/iu.test(sentence)) return 0;
  if (/послезавтра/iu.test(sentence)) return 2;
  if (/\btomorrow\b|завтра/iu.test(sentence)) return 1;
  if (/\bnext week\b|следующей неделе|через неделю/iu.test(sentence)) return 7;
  const counted = /(?:\bin|через)\s+(\d{1,3})\s+(?:days?|дн|день|дня)/iu.exec(sentence)?.[1];
  if (counted !== undefined) return Number(counted);
  const weekday = weekdays.findIndex((name) => name.test(sentence));
  return weekday < 0 ? undefined : (weekday - today.getUTCDay() + 7) % 7 || 7;
}
