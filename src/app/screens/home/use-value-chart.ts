import { AreaSeries, createChart, type IChartApi, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { type RefObject, useEffect, useRef } from 'react';
import type { DayValue } from '#contract/value-histories.ts';

const dayMs = 86_400_000;

/** US dollars as an axis says them; the table has every digit. */
const axisUsd = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** The theme's colours as they are now; a canvas knows no variables. */
function coloursOf(body: HTMLElement) {
  const style = getComputedStyle(body);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return { surface: colour('surface'), text: colour('muted'), line: colour('line'), value: colour('link') };
}

function dress(chart: IChartApi, series: ISeriesApi<'Area'>): void {
  const { surface, text, line, value } = coloursOf(document.body);
  chart.applyOptions({
    layout: { background: { color: surface }, textColor: text },
    grid: { vertLines: { visible: false }, horzLines: { color: line, style: LineStyle.Solid } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
    crosshair: { vertLine: { color: text, labelBackgroundColor: text }, horzLine: { visible: false, labelVisible: false } },
  });
  series.applyOptions({ lineColor: value, topColor: `${value}33`, bottomColor: `${value}00` });
}

/** Each day from the first to the last: the chart sets what it is given side by side, so days without a value keep the distances true. */
function everyDay(values: readonly DayValue[]): ({ time: string } | { time: string; value: number })[] {
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) return [];
  const byDay = new Map(values.map(({ day, value_usd }) => [day, Number(value_usd)]));
  const start = Date.parse(first.day);
  return Array.from({ length: Math.round((Date.parse(last.day) - start) / dayMs) + 1 }, (_, index) => {
    const time = new Date(start + index * dayMs).toISOString().slice(0, 10);
    const value = byDay.get(time);
    return value === undefined ? { time } : { time, value };
  });
}

interface Drawing {
  chart: IChartApi;
  series: ISeriesApi<'Area'>;
}

/** Draws values over time into an element, in the theme's colours and its size. Nothing in it moves by itself. */
export function useValueChart(values: readonly DayValue[]): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const chart = createChart(place.current, {
      autoSize: true,
      // its logo brings a style sheet that our policy lets nobody add; a link below the chart names who made it
      layout: { attributionLogo: false, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
      handleScroll: false,
      handleScale: false,
      localization: { locale: 'en-US', priceFormatter: (value: number) => axisUsd.format(value) },
    });
    const series = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineVisible: false, crosshairMarkerRadius: 4 });
    drawing.current = { chart, series };
    // all of the time is always shown, however narrow the screen gets
    chart.timeScale().applyOptions({ minBarSpacing: 0.1 });
    chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent());
    const redress = (): void => dress(chart, series);
    redress();
    const themes = new MutationObserver(redress);
    themes.observe(document.body, { attributeFilter: ['class'] });
    return () => {
      themes.disconnect();
      drawing.current = null;
      chart.remove();
    };
  }, []);
  useEffect(() => {
    drawing.current?.series.setData(everyDay(values));
    drawing.current?.chart.timeScale().fitContent();
  }, [values]);
  return place;
}
