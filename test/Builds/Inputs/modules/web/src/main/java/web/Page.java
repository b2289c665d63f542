package web;

import core.Rates;
import shop.Cart;

public class Page {
    public enum Style {PLAIN, RICH}

    private final Style style;

    public Page(Style style) {
        this.style = style;
    }

    public String show(Cart cart, String currency) {
        double value = cart.total().cents() * new Rates().of(currency);
        return switch (style) {
            case PLAIN -> "" + value;
            case RICH -> "<b>" + (Double.isNaN(value) ? "?" : value) + "</b>";
        };
    }
}
