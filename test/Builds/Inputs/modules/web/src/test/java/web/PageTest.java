package web;

import static org.junit.jupiter.api.Assertions.*;

import core.Money;
import org.junit.jupiter.api.Test;
import shop.Cart;

class PageTest {
    @Test
    void shows() {
        Cart cart = new Cart().add(new Money(100, "EUR"), 2);
        assertEquals("200.0", new Page(Page.Style.PLAIN).show(cart, "EUR"));
        assertEquals("<b>?</b>", new Page(Page.Style.RICH).show(cart, "XYZ"));
    }
}
