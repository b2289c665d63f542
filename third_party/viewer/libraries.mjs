import * as echarts from 'echarts/core';
import { TreemapChart, CustomChart } from 'echarts/charts';
import { TooltipComponent, GridComponent, DataZoomComponent, AriaComponent } from 'echarts/components';
import { CanvasRenderer } from 'echarts/renderers';
import * as flame from 'd3-flame-graph';
import { select } from 'd3-selection';
import 'regular-table';
echarts.use([TreemapChart, CustomChart, TooltipComponent, GridComponent, DataZoomComponent, AriaComponent, CanvasRenderer]);
export { echarts, flame, select };
